import type { Lease } from '../interfaces/lease.interface.js';
import { currentFrame } from './frame-storage.js';

/**
 * The lease of the innermost locked call that the running code is inside of, for instance to hand its `fence` and `signal`
 * on from within a decorated method.
 *
 * @returns undefined outside of any locked call
 * @publicApi
 */
export function currentLease(): Lease | undefined {
  return currentFrame()?.lease;
}
