import { clientKill, clientStop, frozenWaiters } from './clients.mjs';
import { clockJump, eviction, flushAll } from './data.mjs';
import { loss, partition, partitionOneWay, partitionPeers, slow } from './links.mjs';
import { failover, killEmpty, killKept, killMaster, serverStop, storm, takeover } from './servers.mjs';
import { slotMoves } from './slot-moves.mjs';

/** @import { Nemesis } from './types.mjs' */

/** @type {Nemesis} */
export const none = {
  name: 'none',
  groups: { single: 'A', sentinel: 'A', cluster: 'A' },
  lasts: 500,
  start: async () => async () => undefined,
};

/** All faults that there are. @type {readonly Nemesis[]} */
export const NEMESES = [
  none,
  ...[clientStop, clientKill, frozenWaiters, storm, serverStop, killKept, failover, slotMoves],
  ...[killMaster, takeover, partition, partitionPeers, partitionOneWay, loss, slow],
  ...[flushAll, killEmpty, eviction, clockJump],
];
