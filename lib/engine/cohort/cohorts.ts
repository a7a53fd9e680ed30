import type { RedisKeys } from '../../keys/redis-keys.js';
import type { AcquireRequest } from '../acquire-request.interface.js';
import { SlotMap } from '../collections/slot-map.js';
import type { EngineContext } from '../engine-context.js';
import type { HeldLease } from '../holding/held-lease.js';
import type { Acquirer } from '../waiting/acquirer.js';
import { Cohort, type CohortHome } from './cohort.js';
import { canShare } from './terms.js';
import type { TurnLimits } from './turn.js';

/** The cohorts of all locks that this process holds or wants at the moment. */
export class Cohorts implements CohortHome {
  private readonly byOwner = new SlotMap<Cohort>();
  private refusing = false;

  constructor(
    private readonly context: EngineContext,
    private readonly acquirer: Acquirer,
    private readonly limits: TurnLimits,
  ) {}

  /** In the line of this process where that can be, else in the queue of Redis. */
  acquire(request: AcquireRequest): Promise<HeldLease> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is the caller's own
    if (request.signal?.aborted) return Promise.reject(request.signal.reason);
    if (this.refusing || this.limits.passes === 0 || !canShare(request)) return this.acquireAlone(request);
    const { keys } = request;
    return (this.byOwner.get(keys.owner) ?? this.open(keys)).join(request);
  }

  /** Names of a lock that somebody of this process holds or wants. */
  keysOf(owner: string): RedisKeys | undefined {
    return this.byOwner.get(owner)?.keys;
  }

  /** Sends away who waits; from now on every acquire is one try. */
  refuse(): void {
    this.refusing = true;
    for (const cohort of [...this.byOwner.values()]) cohort.refuse();
  }

  closed(cohort: Cohort): void {
    const { owner } = cohort.keys;
    if (this.byOwner.get(owner) === cohort) this.byOwner.delete(owner);
  }

  private acquireAlone(request: AcquireRequest): Promise<HeldLease> {
    const { departures } = this.acquirer;
    return new Promise((resolve, reject) => {
      const waiter = this.acquirer.apply(request, {
        granted: (grant, wait) => resolve(this.context.leases.open(request, grant, departures.waitedBy(wait))),
        refused: reject,
      });
      waiter.listen((reason) => departures.leave(waiter, reason));
    });
  }

  private open(keys: RedisKeys): Cohort {
    const cohort = new Cohort(keys, this.context, this.acquirer, this.limits, this);
    this.byOwner.set(keys.owner, cohort);
    return cohort;
  }
}
