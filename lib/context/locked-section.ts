import type { CallHandler } from '@nestjs/common';
import {
  defer,
  finalize,
  takeWhile,
  type Observer,
  type Subscriber,
  type Subscription,
  type Unsubscribable,
} from 'rxjs';
import { types } from 'node:util';
import type { LockLostError } from '../errors/index.js';
import { discard } from './discard.js';
import { frameStorage } from './frame-storage.js';
import type { Frame } from './frame.js';
import { isBusy } from './is-busy.js';
import { judgeLoss, leaveSection } from './leave-section.js';
import type { EntryRequest } from './entry-request.js';
import type { LockGate } from './lock-gate.js';

/** What is known of a source beforehand: that it is a series of values, or nothing. */
export type SourceShape = 'stream' | 'unknown';

export interface SectionPlan {
  readonly gate: LockGate;
  readonly entry: EntryRequest;
  /** Calls `end` with an error when the waiting has lost its purpose; gives what takes the listener off again. */
  readonly endWait?: ((end: (error: unknown) => void) => () => void) | undefined;
}

const NOTHING = Symbol('nothing');

/**
 * One subscription under a lock: takes the lock, subscribes to the source inside of it, and gives it back at the one exit
 * that success, error and unsubscribing share. The last value and the end are passed on once the release is answered.
 */
export class LockedSection implements Observer<unknown>, Unsubscribable {
  private readonly canceller = new AbortController();
  private frame: Frame;
  private source: Subscription | undefined;
  /** A value is held back for one microtask, since the end of the source may come right behind it. */
  private held: unknown = NOTHING;
  private flushing = false;
  private emitted = false;
  /** Promises among the values, as an `async` function in a `map` gives them: their work is under way. */
  private promises: Set<Promise<unknown>> | undefined;
  private ended = false;
  private failure: { readonly error: unknown } | undefined;
  private stopWatching: (() => void) | undefined;

  constructor(
    private readonly plan: SectionPlan,
    private readonly shape: SourceShape,
    private readonly handler: CallHandler,
    private readonly target: Subscriber<unknown>,
  ) {}

  /** Never rejects. */
  async begin(): Promise<void> {
    const { gate, entry, endWait } = this.plan;
    const stopListening = endWait?.((error) => this.canceller.abort(error));
    try {
      this.frame = await gate.enter(entry, this.canceller.signal);
    } catch (error) {
      return this.refuse(error);
    } finally {
      stopListening?.();
    }
    frameStorage.run(this.frame, () => this.subscribe());
  }

  next(value: unknown): void {
    if (types.isPromise(value)) this.follow(value);
    if (this.ended) return this.drop(value);
    this.emitted = true;
    if (this.held !== NOTHING) this.pass();
    this.held = value;
    if (this.flushing) return;
    this.flushing = true;
    queueMicrotask(() => this.flush());
  }

  error(error: unknown): void {
    this.ended = true;
    this.failure = { error };
  }

  complete(): void {
    this.ended = true;
  }

  unsubscribe(): void {
    this.ended = true;
    this.canceller.abort();
    // A handler that gives a promise works on when a timeout or a client that left ends the subscription.
    if (this.shape !== 'unknown' || this.emitted) this.source?.unsubscribe();
  }

  private refuse(error: unknown): void {
    if (this.plan.entry.settings.onBusy === 'skip' && isBusy(error)) {
      this.target.next(undefined);
      this.target.complete();
    } else {
      this.target.error(error);
    }
  }

  private subscribe(): void {
    if (this.shape === 'stream') this.watch();
    // The subscriber has left, or the lock is lost already.
    if (this.ended) return void this.leave();
    let source = defer(() => this.handler.handle());
    // Without this a source that emits without a pause could not be stopped before its end.
    if (this.shape === 'stream') source = source.pipe(takeWhile(() => !this.target.closed));
    this.source = source.pipe(finalize(() => void this.leave())).subscribe(this);
  }

  private flush(): void {
    this.flushing = false;
    if (this.ended || this.held === NOTHING) return;
    this.watch();
    if (!this.ended) this.pass();
  }

  private follow(promise: Promise<unknown>): void {
    const promises = (this.promises ??= new Set());
    promises.add(promise);
    const settled = (): unknown => promises.delete(promise);
    promise.then(settled, settled);
  }

  /** The subscriber has left; by its first value the source says that it is through, or that it can be stopped. */
  private drop(value: unknown): void {
    discard(value);
    this.source?.unsubscribe();
  }

  private pass(): void {
    const value = this.held;
    this.held = NOTHING;
    this.target.next(value);
  }

  /** A series of values ends at the loss, not when the source ends, which may be never. */
  private watch(): void {
    if (this.stopWatching !== undefined || this.plan.entry.settings.onLost === 'ignore') return;
    this.stopWatching = this.frame.grant.onLost((lost) => this.lose(lost));
  }

  private lose(lost: LockLostError): void {
    if (this.ended) return;
    this.ended = true;
    if (this.held !== NOTHING) this.pass();
    this.target.error(judgeLoss(this.frame, lost, 'throw', undefined));
  }

  private async leave(): Promise<void> {
    if (this.promises?.size) await Promise.allSettled(this.promises);
    this.stopWatching?.();
    const lost = await new Promise<LockLostError | undefined>((resolve) => leaveSection(this.frame, resolve));
    if (!this.target.closed) this.end(lost);
    else if (this.shape === 'unknown') discard(this.held);
  }

  private end(lost: LockLostError | undefined): void {
    const result = this.held === NOTHING ? undefined : this.held;
    const loss =
      lost && !this.failure ? judgeLoss(this.frame, lost, this.plan.entry.settings.onLost, result) : undefined;
    if (loss !== undefined) return this.target.error(loss);
    if (this.held !== NOTHING) this.pass();
    if (this.failure) this.target.error(this.failure.error);
    else this.target.complete();
  }
}
