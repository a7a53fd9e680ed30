import { LockLostError } from '../../errors/lock-lost.error.js';
import type { AcquireRequest } from '../acquire-request.interface.js';
import { publishEvent } from '../diagnostics.js';
import type { Holding } from '../holding.interface.js';
import { safetyMargin } from '../margin.js';

/** What a lease needs of the engine that keeps it. */
export interface LeaseHost {
  /** Milliseconds, never going back. */
  now(): number;
  extend(lease: HeldLease, ttl: number): Promise<void>;
  release(lease: HeldLease): Promise<boolean>;
  /** The lease ended by itself; nothing may renew it any more. */
  ended(lease: HeldLease): void;
  /** Nobody will release the lease. */
  abandoned(lease: HeldLease): void;
}

/** What a server has granted. Times are on the engine's clock. */
export interface GrantedLease {
  readonly token: string;
  readonly fence: number;
  readonly grantedAt: number;
  /** Until when it is certain. */
  readonly validUntil: number;
  /** Milliseconds of the present lease; the next renewal is due after a third of it. */
  readonly lease: number;
}

/** A granted lock or permit of this process. */
export class HeldLease implements Holding {
  validUntil: number;
  /** Lease that the server was last asked for, ms. */
  lease: number;
  /** When the next renewal is due; Infinity when there is none. */
  renewAt: number;
  /** Renewal under way. */
  renewing = false;
  /** The server has said that the lease is not ours, so there is nothing to give back. */
  disowned = false;
  /** By hand; asked for, whatever came of it. */
  extended = false;
  /** Its deadline is looked at, and it is renewed. */
  watched = false;
  /** Somebody is to give it back, or is about to. */
  inUse = true;
  /** Its release has begun. */
  leaving = false;
  warnedOfAge = false;
  /** As many replicas as its callers ask for have it. */
  confirmed: boolean;
  readonly token: string;
  readonly fence: number;
  readonly grantedAt: number;
  readonly latestEnd: number;
  earliestEnd: number;
  private ended = false;
  private loss: LockLostError | undefined;
  private controller: AbortController | undefined;
  private listeners: Set<(error: LockLostError) => void> | undefined;
  private releasing: Promise<boolean> | undefined;

  constructor(
    private readonly host: LeaseHost,
    readonly request: AcquireRequest,
    grant: GrantedLease,
  ) {
    const { maxHold, minHold, renew, replicas } = request;
    this.token = grant.token;
    this.fence = grant.fence;
    this.grantedAt = grant.grantedAt;
    this.latestEnd = grant.grantedAt + maxHold;
    this.earliestEnd = grant.grantedAt + minHold;
    this.validUntil = grant.validUntil;
    this.lease = grant.lease;
    // A third of the lease from where it began, which may be long past when the answer or the message was late.
    this.renewAt = renew ? grant.validUntil - (grant.lease * 2) / 3 : Infinity;
    // A hand-off gives a short lease; what must stay closed for longer is renewed at once.
    if (minHold > grant.lease) this.renewAt = grant.grantedAt;
    this.confirmed = replicas === undefined;
  }

  /**
   * Ends this holding and gives the lease, which is certain, to the next caller of this process. That one takes its place under
   * the token: renewals and losses are its own from then on.
   */
  passOn(request: AcquireRequest, grantedAt: number): HeldLease {
    const { token, validUntil, lease } = this;
    this.ended = true;
    const heir = new HeldLease(this.host, request, { token, fence: this.fence + 1, grantedAt, validUntil, lease });
    heir.renewAt = this.renewAt;
    heir.renewing = this.renewing;
    heir.confirmed = this.confirmed;
    return heir;
  }

  get name(): string {
    return this.request.name;
  }

  get label(): string {
    return this.request.label;
  }

  /** Certain ownership ends here, on the engine's clock. */
  get deadline(): number {
    return Math.min(this.validUntil, this.latestEnd);
  }

  get held(): boolean {
    return !this.ended && !this.checkDeadline();
  }

  get remaining(): number {
    return this.held ? this.deadline - this.host.now() : 0;
  }

  get lost(): LockLostError | undefined {
    if (!this.ended) this.checkDeadline();
    return this.loss;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.lost && !this.controller.signal.aborted) this.controller.abort(this.loss);
    return this.controller.signal;
  }

  onLost(listener: (error: LockLostError) => void): () => void {
    if (this.lost) {
      listener(this.lost);
      return () => undefined;
    }
    this.listeners ??= new Set();
    this.listeners.add(listener);
    return () => this.listeners?.delete(listener);
  }

  extend(ttl: number): Promise<void> {
    return this.host.extend(this, ttl);
  }

  release(): Promise<boolean> {
    return this.releasing ?? this.giveBack();
  }

  /** Gives it back while its work still goes on, for which it is lost. */
  takeBack(): Promise<boolean> {
    if (this.releasing) return this.releasing;
    const sent = this.giveBack();
    const notOurs = (): boolean => false;
    this.releasing = sent.then(notOurs, notOurs);
    return sent;
  }

  decline(): Promise<boolean> {
    this.earliestEnd = this.grantedAt;
    return this.release();
  }

  abandon(): void {
    this.renewAt = Infinity;
    this.host.abandoned(this);
  }

  /** Lease to ask the server for now, ms: up to `maxHold`, and at least to the end of `minHold`. */
  wantedLease(now: number): number {
    const lease = Math.min(this.request.ttl, this.latestEnd - now);
    return Math.max(1, Math.ceil(Math.max(lease, this.earliestEnd - now)));
  }

  /** Ends the holding from our side, before the release is sent; says whether it was certain until now. */
  end(): boolean {
    const { held } = this;
    this.ended = true;
    return held;
  }

  /** The server has confirmed a renewal. */
  renewed(sentAt: number, lease: number): void {
    this.lease = lease;
    this.validUntil = Math.max(this.validUntil, sentAt + lease - safetyMargin(lease));
  }

  /** The server has said that the lease is not ours. */
  disown(): LockLostError {
    this.disowned = true;
    this.lose('Redis says that it is no longer ours');
    return this.loss as LockLostError;
  }

  lose(reason: string): void {
    if (this.loss) return;
    this.ended = true;
    this.loss = new LockLostError(`Lock "${this.name}" was lost by ${this.label}: ${reason}.`, this.name);
    this.host.ended(this);
    const { kind, name: key, label, context } = this.request;
    publishEvent(() => ({ event: 'lost', kind, key, label, reason }), context);
    const listeners = this.listeners;
    this.listeners = undefined;
    this.controller?.abort(this.loss);
    for (const listener of listeners ?? []) listener(this.loss);
  }

  /** True when the deadline has passed; the loss is made known by then. */
  checkDeadline(): boolean {
    const now = this.host.now();
    if (now < this.deadline) return false;
    const atMaxHold = this.latestEnd - this.validUntil <= safetyMargin(this.lease) + 1;
    this.lose(atMaxHold ? 'maxHold is over' : 'its lease ran out before it was renewed');
    return true;
  }

  /** Whoever hears of a release while it begins, and asks for it as well, gets the answer of the same one. */
  private giveBack(): Promise<boolean> {
    if (this.leaving) return Promise.resolve().then(() => this.releasing as Promise<boolean>);
    this.leaving = true;
    return (this.releasing = this.host.release(this));
  }
}
