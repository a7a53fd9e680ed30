/** @import { ClientEvent, Kind } from '../types.mjs' */

/**
 * @typedef {object} Hold one time that a caller had a lock
 * @property {string} client
 * @property {Kind} kind
 * @property {string} key
 * @property {number} limit
 * @property {number} fence
 * @property {string} token
 * @property {number} entered
 * @property {number} end when it stopped, or its lease ended as the library believed: from then on it claims nothing
 * @property {boolean} lost its lease, which the signal or the release said, and meant to keep it
 * @property {boolean} told that the lease was lost, by the signal or by the release; or it is not there to be told
 */

/**
 * @param {ReadonlyMap<string, readonly ClientEvent[]>} histories by process
 * @param {(kind: Kind) => number} limitOf
 * @param {(client: string) => boolean} killed
 * @returns {Hold[]} in the order of entering
 */
export function holdsOf(histories, limitOf, killed = () => false) {
  const holds = [...histories].flatMap(([client, events]) => holdsOfClient(client, events, limitOf, killed(client)));
  return holds.sort((a, b) => a.entered - b.entered);
}

/**
 * @param {string} client
 * @param {readonly ClientEvent[]} events
 * @param {(kind: Kind) => number} limitOf
 * @param {boolean} killed
 */
function holdsOfClient(client, events, limitOf, killed) {
  /** @type {Map<number, Hold & { deadline: number, left: number }>} */
  const holds = new Map();
  const vanished = new Set();
  for (const event of events) {
    if (event.e === 'entered') {
      const { kind, key, fence, token, deadline, at } = event;
      const hold = { client, kind, key, limit: limitOf(kind), fence, token, deadline, lost: false, told: killed };
      holds.set(event.id, { ...hold, entered: at, end: deadline, left: Infinity });
    }
    const hold = 'id' in event ? holds.get(event.id) : undefined;
    if (hold === undefined) continue;
    if (event.e === 'seen') hold.deadline = Math.max(hold.deadline, event.deadline);
    if (event.e === 'left') hold.left = event.at;
    if (event.e === 'vanished') vanished.add(event.id);
    if (event.e === 'lost' || event.e === 'vanished' || (event.e === 'released' && event.ours !== true))
      hold.told = true;
    const noticed = event.e === 'lost' || (event.e === 'released' && event.ours === false);
    if (noticed && !vanished.has(event.id)) hold.lost = true;
    hold.end = Math.min(hold.deadline, hold.left);
  }
  return [...holds.values()].map(({ deadline: _deadline, left: _left, ...hold }) => hold);
}
