import { LockBusyError } from '../../errors/lock-busy.error.js';
import { LockClosedError } from '../../errors/lock-closed.error.js';
import { Alarm } from '../alarm.js';
import type { Clock } from '../clock.js';
import { unavailable, UnansweredError } from '../connection/failures.js';
import { publishEvent } from '../diagnostics.js';
import type { EngineContext } from '../engine-context.js';
import { busyMessage } from './busy-message.js';
import type { Waiter } from './waiter.js';
import type { WaitingRooms } from './waiting-rooms.js';

/** Later than any request that was given up can still run on the server. */
const STRAY_SLACK = 100;

/** The ways in which a waiter goes without a lease, and what has to be cleared away behind it. */
export class Departures {
  /** Unlike a lease, a wait does not get shorter when somebody sets the wall clock. */
  readonly clock: Pick<Clock, 'now'>;

  constructor(
    private readonly context: EngineContext,
    private readonly waiters: Map<string, Waiter>,
    private readonly rooms: WaitingRooms,
  ) {
    this.clock = { now: () => context.runtime.monotonic() };
  }

  /** Ends the waiting in time, whatever the connection does. */
  setDeadline(waiter: Waiter): void {
    if (waiter.done || waiter.deadline) return;
    const { runtime, times } = this.context;
    waiter.deadline = new Alarm(runtime, this.clock, () => this.expire(waiter));
    waiter.deadline.set(waiter.since + (waiter.waits ? waiter.request.wait : times.commandTimeout));
  }

  /** @param cancels false where the server has said that it knows nothing of the token */
  leave(waiter: Waiter, error: unknown, cancels = true): void {
    if (waiter.done) return;
    this.remove(waiter);
    if (cancels && waiter.sent) this.cancel(waiter);
    waiter.reject(error);
  }

  fail(waiter: Waiter, error: unknown): void {
    const { name } = waiter.request;
    this.leave(waiter, unavailable(`Lock "${name}" could not be asked for`, error, name));
  }

  busy(waiter: Waiter): LockBusyError {
    const { kind, name: key, label } = waiter.request;
    const waited = this.clock.now() - waiter.since;
    publishEvent(() => ({ event: 'busy', kind, key, label, waited }));
    return new LockBusyError(busyMessage(waiter, waited), key, waiter.rest);
  }

  closed(waiter: Waiter): LockClosedError {
    const { name } = waiter.request;
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

  remove(waiter: Waiter): void {
    waiter.done = true;
    this.waiters.delete(waiter.token);
    this.rooms.leave(waiter);
    waiter.deadline?.clear();
    waiter.deafen();
  }

  private expire(waiter: Waiter): void {
    const link = this.context.servers.of(waiter.request.keys.owner);
    if (!link.ready) return this.fail(waiter, link.unanswered());
    // A server that refuses every poll does not know who holds the lock, whatever it said before.
    if (waiter.trouble !== undefined || !waiter.answered) {
      return this.fail(waiter, waiter.trouble ?? link.unanswered());
    }
    this.leave(waiter, this.busy(waiter));
  }

  private cancel(waiter: Waiter): void {
    const { kind, keys } = waiter.request;
    this.context.farewells.sayAside({ kind, keys, token: waiter.token, fence: 0, keepUntil: 0 });
  }
}
