import { AsyncLocalStorage } from 'node:async_hooks';
import type { AcquireRequest } from '../../../lib/engine/acquire-request.interface.js';
import type { Holding } from '../../../lib/engine/holding.interface.js';
import type { HeldLease, LeaseHost } from '../../../lib/engine/holding/held-lease.js';
import type { LockEngine } from '../../../lib/engine/lock-engine.interface.js';
import type { LockInspection } from '../../../lib/interfaces/inspection.interface.js';
import type { LockKind } from '../../../lib/interfaces/lock-kind.type.js';
import type { RedisKeys } from '../../../lib/keys/redis-keys.js';
import type { Attempt } from '../history/attempt.js';

/** The attempt on whose behalf the library is called. */
export const attempts = new AsyncLocalStorage<Attempt>();

/** The real engine; puts the id of the attempt into the tokens that are made for it, and knows the holding that it got. */
export class RecordingEngine implements LockEngine {
  private readonly holdings = new Map<string, HeldLease>();

  constructor(private readonly engine: LockEngine) {}

  names(kind: LockKind, name: string): RedisKeys {
    return this.engine.names(kind, name);
  }

  open(): void {
    this.engine.open();
  }

  async acquire(request: AcquireRequest): Promise<Holding> {
    const attempt = attempts.getStore();
    if (!attempt) return this.engine.acquire(request);
    const holding = await this.engine.acquire({ ...request, label: attempt.id });
    this.holdings.set(attempt.id, holding as HeldLease);
    return holding;
  }

  holding({ id }: Attempt): HeldLease | undefined {
    return this.holdings.get(id);
  }

  /** For how long from now its process takes a holding for its own, ms; unlike `remaining` it leaves no trace. */
  leftOf({ id }: Attempt): number {
    const holding = this.holdings.get(id);
    if (holding === undefined) return 0;
    const { host } = holding as unknown as { host: LeaseHost };
    return holding.deadline - host.now();
  }

  inspect(kind: LockKind, name: string): Promise<LockInspection> {
    return this.engine.inspect(kind, name);
  }

  forceRelease(kind: LockKind, name: string): Promise<boolean> {
    return this.engine.forceRelease(kind, name);
  }

  refuseWaits(): void {
    this.engine.refuseWaits();
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
