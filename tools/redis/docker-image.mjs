import { getContainerRuntimeClient, ImageName } from 'testcontainers';

/** Names an image to use instead of the usual ones. */
export const IMAGE_VARIABLE = 'REDIS_LOCK_TEST_IMAGE';
const USUAL_IMAGES = ['redis:8-alpine', 'redis:7-alpine', 'redis:8', 'redis:7'];
const ENGINE_TIMEOUT = 10_000;
const PULL_TIMEOUT = 60_000;

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @returns {Promise<T>}
 */
function within(promise, ms) {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    setTimeout(reject, ms, new Error(`no answer in ${ms} ms`));
  });
}

/**
 * @param {string[]} [usual] which ones would do, the best first
 * @returns {Promise<string>} an image that the engine has now; rejects where
 *   there is no engine, or no image and no way to pull one
 */
export async function obtainImage(usual = USUAL_IMAGES) {
  const engine = await within(getContainerRuntimeClient(), ENGINE_TIMEOUT);
  /** @param {string} image */
  const has = (image) => engine.image.exists(ImageName.fromString(image));
  const named = process.env[IMAGE_VARIABLE];
  const wanted = named ? [named] : usual;
  for (const image of wanted) {
    if (await within(has(image), ENGINE_TIMEOUT)) {
      return image;
    }
  }
  const image = wanted[0] ?? '';
  await within(engine.image.pull(ImageName.fromString(image)), PULL_TIMEOUT);
  // The pull also resolves when the registry answered with an error.
  if (!(await has(image))) {
    throw new Error(`${image} could not be pulled`);
  }
  return image;
}
