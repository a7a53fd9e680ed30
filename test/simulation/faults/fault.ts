import type { World } from '../core/world.js';
import type { Random } from '../core/random.js';

/**
 * What may come of a fault: under `safe` ones every promise is kept; an `unsafe` one is documented to end leases behind the
 * back of their holders, who must then notice.
 */
export type FaultGroup = 'safe' | 'unsafe';

export interface Fault {
  readonly name: string;
  readonly group: FaultGroup;
  /** How often it strikes, compared with others. */
  readonly weight: number;
  strike(world: World, random: Random): void;
}

/** What goes on for a while after a fault has ended: an answer is given up, and connections are made anew, ms. */
export function aftermath(world: World): number {
  return 2 * world.history.times.commandTimeout + 3_000;
}
