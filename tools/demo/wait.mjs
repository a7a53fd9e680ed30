import { setTimeout } from 'node:timers/promises';

/**
 * Looks again and again until there is something.
 *
 * @template T
 * @param {string} what for the error
 * @param {() => T | Promise<T>} look
 * @param {number} [timeout] ms
 * @returns {Promise<NonNullable<T>>}
 */
export async function waitFor(what, look, timeout = 10_000) {
  const end = performance.now() + timeout;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`waited ${timeout} ms in vain for ${what}`);
    await setTimeout(5);
  }
}
