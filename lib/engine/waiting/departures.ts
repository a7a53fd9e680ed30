import { LockBusyError } from '../../errors/lock-busy.error.js';
import { LockClosedError } from '../../errors/lock-closed.error.js';
import type { LockUnavailableError } from '../../errors/lock-unavailable.error.js';
import { Alarm } from '../alarm.js';
import type { Clock } from '../clock.js';
import type { SlotMap } from '../collections/slot-map.js';
import { unavailable, UnansweredError } from '../connection/failures.js';
import { publishEvent } from '../diagnostics.js';
import type { EngineContext } from '../engine-context.js';
import { busyMessage } from './busy-message.js';
import type { KnownHolder, Wait, Waiter } from './waiter.js';
import type { WaitingRooms } from './waiting-rooms.js';

/** Later than any request that was given up can still run on the server. */
const STRAY_SLACK = 100;

/** The ways in which a waiter goes without a lease, and what has to be cleared away behind it. */
export class Departures {
  /** Unlike a lease, a wait does not get shorter when somebody sets the wall clock. */
  readonly clock: Pick<Clock, 'now'>;

  constructor(
    private readonly context: EngineContext,
    private readonly waiters: SlotMap<Waiter>,
    private readonly rooms: WaitingRooms,
  ) {
    this.clock = { now: () => context.runtime.monotonic() };
  }

  /** Ends the waiting in time, whatever the connection does. */
  setDeadline(waiter: Waiter): void {
    if (waiter.done || waiter.deadline) return;
    if (waiter.applicant.mustWait) return waiter.applicant.mustWait();
    const { runtime, times } = this.context;
    waiter.deadline = new Alarm(runtime, this.clock, () => this.expire(waiter));
    waiter.deadline.set(waiter.since + (waiter.waits ? waiter.request.wait : times.commandTimeout));
  }

  /** @param cancels false where the server has said that it knows nothing of the token */
  leave(waiter: Waiter, error: unknown, cancels = true): void {
    if (waiter.done) return;
    this.remove(waiter);
    if (cancels && waiter.sent) this.cancel(waiter);
    waiter.applicant.refused(error, waiter);
  }

  /** Goes without a word to the one on whose behalf it asked. */
  withdraw(waiter: Waiter): void {
    if (waiter.done) return;
    this.remove(waiter);
    if (waiter.sent) this.cancel(waiter);
  }

  fail(waiter: Waiter, error: unknown): void {
    this.leave(waiter, failed(waiter, error));
  }

  /** Why a wait is over that got nothing, as far as the waiter knows that asked for it. */
  overdue(wait: Wait, waiter: Waiter): LockBusyError | LockUnavailableError {
    const link = this.context.servers.of(waiter.request.keys.owner);
    if (!link.ready) return failed(wait, link.unanswered());
    // A server that refuses every poll does not know who holds the lock, whatever it said before.
    if (waiter.trouble !== undefined || !waiter.answered) return failed(wait, waiter.trouble ?? link.unanswered());
    return this.busy(wait, waiter);
  }

  busy(wait: Wait, known: KnownHolder): LockBusyError {
    const { kind, name: key, label, context } = wait.request;
    const waited = this.waitedBy(wait);
    publishEvent(() => ({ event: 'busy', kind, key, label, waited }), context);
    return new LockBusyError(busyMessage(wait.request, waited, known), key, known.rest);
  }

  closed({ request: { name } }: Wait): LockClosedError {
    return new LockClosedError(`The application is shutting down: lock "${name}" is not waited for.`, name);
  }

  /**
   * After a request without an answer: the server may still run it, up to its `notAfter`. Whatever happens to the token
   * meanwhile, by then it must not own or queue for anything that nobody uses.
   */
  inTrouble(waiter: Waiter, error: unknown): void {
    waiter.trouble = error;
    if (!(error instanceof UnansweredError)) return;
    const { runtime, times, leases } = this.context;
    const check = (): void => {
      if (!this.waiters.has(waiter.token) && !leases.get(waiter.token)) this.cancel(waiter);
    };
    runtime.setTimeout(check, times.commandTimeout + STRAY_SLACK).unref?.();
  }

  waitedBy({ since }: Wait): number {
    return this.clock.now() - since;
  }

  remove(waiter: Waiter): void {
    waiter.done = true;
    this.waiters.delete(waiter.token);
    this.rooms.leave(waiter);
    waiter.deadline?.clear();
    waiter.deafen();
  }

  private expire(waiter: Waiter): void {
    this.leave(waiter, this.overdue(waiter, waiter));
  }

  private cancel(waiter: Waiter): void {
    const { kind, keys } = waiter.request;
    this.context.farewells.say({ kind, keys, token: waiter.token, fence: 0, keepUntil: 0 });
  }
}

function failed({ request: { name } }: Wait, error: unknown): LockUnavailableError {
  return unavailable(`Lock "${name}" could not be asked for`, error, name);
}
