import { TARGETS } from '../clients/workload.mjs';

/** @import { Server } from '../lab/server.mjs' */
/** @import { Topology } from '../lab/topology.mjs' */
/** @import { Nemesis } from './types.mjs' */

/** Slots of locks that are in use go from one master to another, with their keys. @type {Nemesis} */
export const slotMoves = {
  name: 'slot-moves',
  groups: { cluster: 'A' },
  lasts: 0,
  start: async ({ lab, struck }) => {
    for (let i = 0; i < 5; i += 1) {
      const target = TARGETS[Math.floor(Math.random() * TARGETS.length)];
      if (target === undefined) continue;
      await moveSlot(lab.topology, `${target.kind === 'semaphore' ? 'semaphore' : 'lock'}:${target.key}`);
      struck();
    }
    return async () => undefined;
  },
};

/**
 * @param {Topology} topology
 * @param {string} key
 */
async function moveSlot(topology, key) {
  const masters = await topology.masters();
  const slot = Number(await masters[0]?.call('CLUSTER', 'KEYSLOT', key));
  const from = await ownerOf(masters, slot);
  const others = masters.filter((master) => master !== from);
  const to = /** @type {Server} */ (others[Math.floor(Math.random() * others.length)]);
  const [fromId, toId] = await Promise.all([from, to].map(async (node) => String(await node.call('CLUSTER', 'MYID'))));
  await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId ?? '');
  await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId ?? '');
  for (;;) {
    const keys = /** @type {string[]} */ (await from.call('CLUSTER', 'GETKEYSINSLOT', slot, 10));
    if (keys.length === 0) break;
    await from.call('MIGRATE', to.host.address, to.port, '', 0, 5_000, 'KEYS', ...keys);
  }
  // The one that takes it first: else it would be nobody's for a moment.
  for (const node of [to, from, ...others]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId ?? '');
}

/**
 * @param {Server[]} masters
 * @param {number} slot
 */
async function ownerOf(masters, slot) {
  for (const master of masters) {
    const ranges = /** @type {[number, number, [string, number, string]][]} */ (await master.call('CLUSTER', 'SLOTS'));
    const id = String(await master.call('CLUSTER', 'MYID'));
    if (ranges.some(([first, last, [, , owner]]) => owner === id && first <= slot && slot <= last)) return master;
  }
  throw new Error(`slot ${slot} is nobody's`);
}
