import type { AcquireRequest } from '../../engine/acquire-request.interface.js';
import type { Holding } from '../../engine/holding.interface.js';
import type { LockEngine } from '../../engine/lock-engine.interface.js';
import type { LockInspection } from '../../interfaces/inspection.interface.js';
import type { LockKind } from '../../interfaces/lock-kind.type.js';
import { keysOfOwner, type RedisKeys } from '../../keys/redis-keys.js';
import { PassThroughHolding } from './pass-through-holding.js';

/** Grants everything to everybody at once. */
export class PassThroughEngine implements LockEngine {
  private fence = 0;

  names(kind: LockKind, name: string): RedisKeys {
    return keysOfOwner(`${kind}:${name}`);
  }

  open(): void {}

  async acquire(request: AcquireRequest): Promise<Holding> {
    request.signal?.throwIfAborted();
    return new PassThroughHolding(request, ++this.fence);
  }

  async inspect(kind: LockKind, key: string): Promise<LockInspection> {
    return { key, kind, redisKey: this.names(kind, key).owner, held: false, holders: [], waiters: [] };
  }

  async forceRelease(): Promise<boolean> {
    return false;
  }

  refuseWaits(): void {}

  async close(): Promise<void> {}
}
