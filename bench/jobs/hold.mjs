/** @type {Set<() => void>} */
const held = new Set();

/**
 * Takes locks and keeps them until the job `give-back`.
 *
 * @param {import('../measure/worker-process.mjs').Place} place
 * @param {{ keys: string[], limit?: number }} order
 */
export async function run({ contender }, { keys, limit }) {
  await Promise.all(keys.map((key) => take(contender, key, limit)));
}

/**
 * @param {import('../contenders/types.mjs').Connected} contender
 * @param {string} key
 * @param {number | undefined} limit
 */
function take(contender, key, limit) {
  return new Promise((/** @type {(value?: undefined) => void} */ entered, reject) => {
    // Some say in Redis who holds, so it has a name as in an application.
    const task = {
      'OrderService.pay': () =>
        new Promise((/** @type {(value?: undefined) => void} */ end) => {
          held.add(end);
          entered();
        }),
    }['OrderService.pay'];
    const done = limit === undefined ? contender.withLock(key, task) : contender.withPermit?.(key, limit, task);
    done?.then(undefined, reject);
  });
}

export function giveBack() {
  for (const end of held) end();
  held.clear();
}
