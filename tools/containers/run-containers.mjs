import { runJest } from '../run-jest.mjs';
import { IMAGES_VARIABLE, writeImages } from './images.mjs';

/** @import { Image } from './images.mjs' */

/**
 * The tests, on an engine that has these images. The last line that it prints has the counts.
 *
 * @param {Image[]} images
 * @param {string[]} jestArguments
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<boolean>}
 */
export async function runContainers(images, jestArguments, env = {}) {
  console.log(`Images: ${images.map(({ name }) => name).join(', ')}`);
  const { passed, failed } = await runJest(['--selectProjects', 'containers', ...jestArguments], {
    TESTCONTAINERS_RYUK_DISABLED: 'true',
    ...env,
    [IMAGES_VARIABLE]: writeImages(images),
  });
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}
