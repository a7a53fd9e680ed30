import { LockClosedError } from '../../errors/lock-closed.error.js';
import { LockUnavailableError } from '../../errors/lock-unavailable.error.js';
import type { RedisKeys } from '../../keys/redis-keys.js';
import type { AcquireRequest } from '../acquire-request.interface.js';
import { Alarm } from '../alarm.js';
import { Line } from '../collections/line.js';
import type { EngineContext } from '../engine-context.js';
import type { GrantedLease, HeldLease, LeaseHost } from '../holding/held-lease.js';
import { listenToAbort, unlistenToAbort } from '../waiting/abort-listeners.js';
import type { Acquirer } from '../waiting/acquirer.js';
import type { Applicant, Waiter } from '../waiting/waiter.js';
import { Caller, type CallerHost } from './caller.js';
import { haveSameTerms } from './terms.js';
import type { Turn, TurnLimits } from './turn.js';

/** Who keeps it. */
export interface CohortHome {
  /** Nobody holds, waits or asks any more. */
  closed(cohort: Cohort): void;
}

// Made here, where no call is under way: a promise keeps the context that it was made in.
const OURS = Promise.resolve(true);

/**
 * The callers of this process that want one lock. Together they have one entry in the queue of Redis; once it is granted they
 * pass the lock on among themselves without Redis, for so many times and so long that other processes do not starve.
 *
 * After "Lock Cohorting" (Dice, Marathe and Shavit, 2012), with processes for the nodes and Redis for the global lock.
 */
export class Cohort implements Applicant, CallerHost, LeaseHost {
  private readonly line = new Line<Caller>();
  private entry: Waiter | undefined;
  private turn: Turn | undefined;
  private alarm: Alarm | undefined;

  constructor(
    readonly keys: RedisKeys,
    private readonly context: EngineContext,
    private readonly acquirer: Acquirer,
    private readonly limits: TurnLimits,
    private readonly home: CohortHome,
  ) {}

  join(request: AcquireRequest): Promise<HeldLease> {
    return new Promise((resolve, reject) => {
      const caller = new Caller(this, request, this.context.runtime.monotonic(), resolve, reject);
      if (request.signal) listenToAbort(request.signal, caller);
      this.line.push(caller);
      if (!this.entry && !this.turn) return this.ask();
      this.bound(caller);
      this.listen(request);
    });
  }

  aborted(caller: Caller): void {
    this.leave(caller, () => caller.request.signal?.reason);
  }

  /** Sends callers away, but none whom Redis may have given the lock with the answer that is under way. */
  refuse(): void {
    const { entry } = this;
    const spared = entry?.inFlight && entry.ticket === '' ? this.line.first : undefined;
    for (const caller of this.line) {
      if (caller !== spared) this.leave(caller, () => this.acquirer.departures.closed(caller));
    }
  }

  granted(grant: GrantedLease, { request }: Waiter): void {
    const caller = this.line.first;
    // The one it was asked for may have left meanwhile, and all behind it.
    if (!caller || !haveSameTerms(request, caller.request)) {
      const { token, fence } = grant;
      this.entry = undefined;
      this.context.farewells.say({ kind: request.kind, keys: request.keys, token, fence, keepUntil: 0 });
      return this.goOn(true);
    }
    this.take(caller);
    // Whoever listens to the events of locks may come or leave in the middle of this, and finds the entry still there.
    const lease = this.context.leases.open(caller.request, grant, this.waitedBy(caller), this);
    this.entry = undefined;
    this.turn = { grantedAt: grant.grantedAt, fence: grant.fence, passes: 0, lease };
    caller.granted(lease);
  }

  refused(error: unknown, { request }: Waiter): void {
    this.entry = undefined;
    for (const caller of this.line) {
      if (!haveSameTerms(request, caller.request)) continue;
      this.take(caller);
      caller.refused(ownCopy(error));
    }
    this.goOn();
  }

  /** All but the one who came first were told so when they came. */
  mustWait(): void {
    if (this.line.first) this.bound(this.line.first);
  }

  now(): number {
    return this.context.leases.now();
  }

  extend(lease: HeldLease, ttl: number): Promise<void> {
    return this.context.leases.extend(lease, ttl);
  }

  release(lease: HeldLease): Promise<boolean> {
    const { turn, line } = this;
    const next = line.first;
    if (turn?.lease === lease && next) {
      const now = this.now();
      if (this.mayPass(turn, next, now)) return this.passOn(turn, next, now);
    }
    const given = this.context.leases.release(lease);
    // Behind the release, so that this process stands behind all others.
    this.turnOver(lease);
    return given;
  }

  ended(lease: HeldLease): void {
    this.context.leases.ended(lease);
    this.turnOver(lease);
  }

  abandoned(lease: HeldLease): void {
    this.context.leases.abandoned(lease);
    this.turnOver(lease);
  }

  /**
   * A lease is passed on while it is certain and more than half of it is left, which its renewals see to; one that was
   * extended is longer than the next caller asked for, or will be, and one that `maxHold` ends is not renewed any more. Fences
   * rise within the time since the grant, which stays below whatever the server gives next.
   */
  private mayPass({ grantedAt, fence, passes, lease }: Turn, next: Caller, now: number): boolean {
    const left = lease.validUntil - now;
    return (
      passes < this.limits.passes &&
      now - grantedAt < this.limits.time &&
      haveSameTerms(lease.request, next.request) &&
      now < lease.deadline &&
      lease.confirmed &&
      lease.renewAt !== Infinity &&
      left >= lease.lease / 2 &&
      !lease.extended &&
      lease.fence + 1 < fence + (now - grantedAt) * 1000
    );
  }

  private passOn(turn: Turn, next: Caller, now: number): Promise<boolean> {
    this.take(next);
    turn.passes++;
    turn.lease = this.context.leases.passOn(turn.lease, next.request, now, this.waitedBy(next));
    next.granted(turn.lease);
    return OURS;
  }

  private turnOver(lease: HeldLease): void {
    if (this.turn?.lease !== lease) return;
    this.turn = undefined;
    // Of the last pass, which Redis does not know of: its clock may have been set back.
    this.context.servers.of(lease.request.keys.owner).server.noteFence(lease.fence);
    this.goOn(true);
  }

  /** @param why asked for behind its leaving, since it may be an event that somebody acts on */
  private leave(caller: Caller, why: () => unknown): void {
    this.take(caller);
    caller.refused(why());
    if (this.line.first || !this.entry || this.entry.done) return;
    this.acquirer.departures.withdraw(this.entry);
    this.entry = undefined;
    this.goOn();
  }

  /**
   * Ends the waiting of a caller in time. Most have their lock with the first answer and need no timer, so it is set when it turns
   * out that there is something to wait for; one serves the whole line.
   */
  private bound(caller: Caller): void {
    const { runtime } = this.context;
    this.alarm ??= new Alarm(runtime, this.acquirer.departures.clock, () => this.sendAwayWhoWaitedEnough());
    this.alarm.bringForward(caller.deadline);
  }

  private sendAwayWhoWaitedEnough(): void {
    const { departures } = this.acquirer;
    let next = Infinity;
    for (const caller of this.line) {
      if (caller.deadline > departures.clock.now() + 1) next = Math.min(next, caller.deadline);
      else this.leave(caller, () => this.overdue(caller));
    }
    if (this.line.first) this.alarm?.bringForward(next);
  }

  private overdue(caller: Caller): unknown {
    const { departures } = this.acquirer;
    if (this.entry) return departures.overdue(caller, this.entry);
    const { token: holder = '', label, remaining: rest = 0 } = this.turn?.lease ?? {};
    return departures.busy(caller, { holder, label, rest });
  }

  private take(caller: Caller): void {
    this.line.remove(caller);
    if (caller.request.signal) unlistenToAbort(caller.request.signal, caller);
  }

  private goOn(busy = false): void {
    if (this.entry || this.turn) return;
    if (this.line.first) this.ask(busy);
    else {
      this.alarm?.clear();
      this.home.closed(this);
    }
  }

  /** @param busy as those know who are in the line by now, whatever the server says */
  private ask(busy = false): void {
    const entry = this.acquirer.apply((this.line.first as Caller).request, this);
    entry.answered ||= busy;
    // During a shutdown it may have been refused at once.
    if (!entry.done) this.entry = entry;
  }

  /** Else those who wait here would hear of a release by force only with the next renewal. */
  private listen({ keys }: AcquireRequest): void {
    const wake = this.context.wakes.of(keys);
    if (!wake.settled) void wake.ready();
  }

  private waitedBy(caller: Caller): number {
    return this.acquirer.departures.waitedBy(caller);
  }
}

/** Each call rejects with an error of its own. */
function ownCopy(error: unknown): unknown {
  if (error instanceof LockUnavailableError)
    return new LockUnavailableError(error.message, error.key, { cause: error.cause });
  if (error instanceof LockClosedError) return new LockClosedError(error.message, error.key);
  return error;
}
