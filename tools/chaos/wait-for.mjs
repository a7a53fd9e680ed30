import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @param {string} what
 * @param {() => Promise<boolean>} condition one that rejects is not met
 * @param {number} [patience] ms
 */
export async function waitFor(what, condition, patience = 40_000) {
  const end = performance.now() + patience;
  for (;;) {
    if (await condition().catch(() => false)) return;
    if (performance.now() > end) throw new Error(`not within ${patience / 1000} s: ${what}`);
    await sleep(50);
  }
}
