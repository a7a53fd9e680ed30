import { waitFor } from '../wait.mjs';

/** @import { SampleProcess } from '../sample-process.mjs' */

/**
 * Until somebody waits for the key, or nobody holds it.
 *
 * @param {SampleProcess} one to ask
 * @param {string} key
 * @param {number} [waiters]
 */
export async function waitForWaiter(one, key, waiters = 1) {
  await waitFor(`a waiter for ${key}`, async () => {
    const { body } = await one.get(`/locks/${key}`);
    return !body.held || body.waiters.length >= waiters;
  });
}
