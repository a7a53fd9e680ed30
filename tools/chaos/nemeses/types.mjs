/** @import { Lab } from '../lab/lab.mjs' */
/** @import { Fleet } from '../clients/fleet.mjs' */
/** @import { ServerOptions, TopologyName } from '../lab/topology.mjs' */

/**
 * What a fault may do to the locks:
 * A: nothing. B: where replicas lag behind, two holders for a moment, of which the resource hears only one; nothing where
 * every replica must have a lock first. C: outside of what a lock on Redis can promise; holders are told.
 *
 * @typedef {'A' | 'B' | 'C'} Group
 *
 * @typedef {object} Scene
 * @property {Lab} lab
 * @property {Fleet} fleet
 * @property {(name: string, value: number) => void} note a figure for the report; the worst counts
 * @property {() => void} struck one more fault was made
 *
 * @typedef {object} Nemesis
 * @property {string} name
 * @property {Partial<Record<TopologyName, Group>>} groups by topology; it has no meaning where none is given
 * @property {boolean} [network] needs links that can be cut
 * @property {boolean} [compiler] needs a C compiler
 * @property {Partial<ServerOptions>} [servers]
 * @property {number} lasts ms from start to heal
 * @property {(scene: Scene) => Promise<() => Promise<void>>} start gives what heals it
 */
export {};
