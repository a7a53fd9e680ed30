import { byKey } from './overlaps.mjs';

/** @import { Write } from '../types.mjs' */
/** @import { Hold } from './holds.mjs' */

/**
 * Writes that came too late and were taken all the same: by a holder whose time had ended before one entered who has written
 * since; or with a fence that is not above that of another grant which has written before.
 *
 * @param {readonly Write[]} writes in the order in which they came
 * @param {readonly Hold[]} holds
 * @returns {Write[]}
 */
export function findStaleWrites(writes, holds) {
  // A process passes a lock on under one token, each time with a fence of its own.
  const holdOf = new Map(holds.map((hold) => [`${hold.token} ${hold.fence}`, hold]));
  const accepted = writes.filter((write) => write.accepted);
  return byKey(accepted, ({ key }) => key).flatMap((ofKey) => {
    let highest = { fence: -Infinity, token: '' };
    let latestEntry = -Infinity;
    return ofKey.filter(({ fence, token }) => {
      const hold = holdOf.get(`${token} ${fence}`);
      const repeated = fence === highest.fence && token !== highest.token;
      const stale = fence < highest.fence || repeated || (hold !== undefined && hold.end < latestEntry);
      if (fence > highest.fence) highest = { fence, token };
      latestEntry = Math.max(latestEntry, hold?.entered ?? -Infinity);
      return stale;
    });
  });
}
