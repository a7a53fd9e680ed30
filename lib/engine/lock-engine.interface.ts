import type { LockInspection } from '../interfaces/inspection.interface.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import type { RedisKeys } from '../keys/redis-keys.js';
import type { AcquireRequest } from './acquire-request.interface.js';
import type { Holding } from './holding.interface.js';

/** Grants locks and permits, keeps them alive and gives them back. Knows nothing of Nest. */
export interface LockEngine {
  /** @throws LockKeyError for an impossible name */
  names(kind: LockKind, name: string): RedisKeys;
  /** Begins to connect; never waits and never throws. Whatever needs Redis does the same by itself. */
  open(): void;
  /** Rejects with LockBusyError, LockUnavailableError, LockClosedError or the reason of the request's signal. */
  acquire(request: AcquireRequest): Promise<Holding>;
  inspect(kind: LockKind, name: string): Promise<LockInspection>;
  /** @returns false when nobody held it */
  forceRelease(kind: LockKind, name: string): Promise<boolean>;
  /** Rejects those who wait and everybody who would have to wait from now on; a free lock is still given. */
  refuseWaits(): void;
  /** Waits up to `shutdownTimeout` for work under a lock, gives back what is left and closes. Idempotent. */
  close(): Promise<void>;
}
