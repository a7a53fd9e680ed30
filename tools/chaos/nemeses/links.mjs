// Faults of the network.
import { oneMaster } from './servers.mjs';

/** @import { Lab } from '../lab/lab.mjs' */
/** @import { Host, NamespaceNetwork } from '../lab/network.mjs' */
/** @import { Group, Nemesis } from './types.mjs' */
/** @import { TopologyName } from '../lab/topology.mjs' */

const ALL = /** @type {const} */ ({ single: 'A', sentinel: 'B', cluster: 'B' });

/**
 * @param {string} name
 * @param {number} lasts
 * @param {Partial<Record<TopologyName, Group>>} groups
 * @param {(links: NamespaceNetwork, master: Host, peers: Host[]) => Promise<void>} harm
 * @returns {Nemesis}
 */
const onMaster = (name, lasts, groups, harm) => ({
  name,
  groups,
  network: true,
  lasts,
  start: async ({ lab, struck }) => {
    const master = await oneMaster(lab);
    await harm(lab.links, master.host, lab.topology.peersOf(master));
    struck();
    return () => lab.links.heal();
  },
});

/** Nobody reaches the master. */
export const partition = onMaster('partition', 6_000, ALL, (links, master) => links.cut(master, links.others(master)));

/** Its replicas, and those who watch it, do not reach the master; clients do. */
export const partitionPeers = onMaster(
  'partition-peers',
  6_000,
  { sentinel: 'B', cluster: 'B' },
  (links, master, peers) => links.cut(master, peers),
);

/** The master hears everybody, and nobody hears the master. */
export const partitionOneWay = onMaster('partition-one-way', 5_000, ALL, (links, master) =>
  links.cutOneWay(master, links.others(master)),
);

/** Every fifth packet is lost. */
export const loss = onMaster('loss', 6_000, ALL, (links, master) => links.lose(master));

/** The master answers through a narrow pipe. */
export const slow = onMaster('slow', 6_000, ALL, (links, master) => links.slow(master));
