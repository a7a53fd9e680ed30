import { setTimeout as sleep } from 'node:timers/promises';

/** At once, so that it is not all about waiting for replies. */
const TOGETHER = 200;

/**
 * Needs `--expose-gc`.
 *
 * @param {import('../measure/worker-process.mjs').Place} place
 * @param {{ keys: number, waiters: number, busyKey: string }} order `busyKey` is held by somebody else
 * @returns {Promise<{ heapGrowth: number, perWaiter: number }>} bytes: what is left of all the keys, what each waiter takes
 */
export async function run({ contender }, { keys, waiters, busyKey }) {
  const task = () => undefined;
  async function once(/** @type {string} */ name, /** @type {number} */ count) {
    for (let i = 0; i < count; i += TOGETHER) {
      await Promise.all(Array.from({ length: TOGETHER }, (_, j) => contender.withLock(`${name}:${i + j}`, task)));
    }
  }
  await once('warm', keys / 10);
  const before = await settledHeap();
  await once('once', keys);
  const heapGrowth = (await settledHeap()) - before;

  const leave = new AbortController();
  const wait = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => contender.withLock(busyKey, task, leave.signal).catch(() => undefined));
  const first = wait(100);
  await sleep(500);
  const alone = await settledHeap();
  const crowd = wait(waiters);
  await sleep(2000);
  const perWaiter = ((await settledHeap()) - alone) / waiters;
  leave.abort(new Error('the time is over'));
  await Promise.all([...first, ...crowd]);
  return { heapGrowth, perWaiter };
}

async function settledHeap() {
  for (let i = 0; i < 3; i += 1) {
    /** @type {() => void} */ (globalThis.gc)();
    await sleep(50);
  }
  return process.memoryUsage().heapUsed;
}
