import type { HeldLease } from '../holding/held-lease.js';

/** How much of a turn a process may use for itself. */
export interface TurnLimits {
  /** How often the lock is passed on within the process before it is given back; 0 = never. */
  readonly passes: number;
  /** For how long since the grant it is, ms. */
  readonly time: number;
}

/** From a grant by Redis until the lock is given back. */
export interface Turn {
  readonly grantedAt: number;
  readonly fence: number;
  passes: number;
  /** Of the caller who is inside. */
  lease: HeldLease;
}
