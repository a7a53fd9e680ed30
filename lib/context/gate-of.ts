import { LOCK_GATE } from '../redis-lock.constants.js';
import type { LockGate } from './lock-gate.js';

/** The gate of a `LockService`, of whatever copy of the package; undefined for anything else. */
export function gateOf(service: unknown): LockGate | undefined {
  return (service as { [LOCK_GATE]?: LockGate } | null | undefined)?.[LOCK_GATE];
}
