import type { AcquireRequest } from '../acquire-request.interface.js';
import { SlotMap } from '../collections/slot-map.js';
import type { Answer } from '../connection/command-connection.js';
import { isPassing } from '../connection/failures.js';
import type { EngineContext } from '../engine-context.js';
import { safetyMargin } from '../margin.js';
import { readAcquireAnswer, readGrantAtOnce, type AcquireAnswer, type TokenAnswer } from './answer.js';
import { Departures } from './departures.js';
import { Handovers, type HandoverHost } from './handovers.js';
import { Submission, type SubmissionHost } from './submission.js';
import { leasesOf, Waiter, type Applicant } from './waiter.js';
import { WaitingRooms, type PollHost } from './waiting-rooms.js';

const MOST_CONFIRMATIONS = 2;
const RETRY = 100;

/** Gets leases: asks, queues, polls, and takes what is handed over. */
export class Acquirer implements HandoverHost, PollHost, SubmissionHost {
  /** No new waiting; pending waiters have been sent away. */
  private refusing = false;
  private readonly waiters = new SlotMap<Waiter>();
  private readonly rooms: WaitingRooms;
  readonly departures: Departures;
  readonly handovers: Handovers;

  constructor(private readonly context: EngineContext) {
    this.rooms = new WaitingRooms(context, this);
    this.departures = new Departures(context, this.waiters, this.rooms);
    this.handovers = new Handovers(context, this.waiters, this.rooms, this);
  }

  get waiting(): boolean {
    return this.waiters.size > 0;
  }

  /** Asks for a lock on somebody's behalf. */
  apply(request: AcquireRequest, applicant: Applicant): Waiter {
    const { tokens, times } = this.context;
    const { wait, label, weight, limit } = request;
    const leases = leasesOf(request, times.handoffTtl);
    const token = tokens.make({ lease: leases.handed, weight, limit, label });
    const waits = wait > 0 && !this.refusing;
    const waiter = new Waiter(request, token, leases, this.departures.clock.now(), waits, applicant);
    // Before anything is sent: a grant may overtake the answer.
    this.waiters.set(token, waiter);
    this.submit(waiter);
    // The answer to a command is bounded anyhow; most acquisitions end with it and need no timer.
    if (!waiter.inFlight || wait < times.commandTimeout) this.departures.setDeadline(waiter);
    return waiter;
  }

  /** Sends away these waiters; from now on every acquire is one try. */
  refuse(whom: (waiter: Waiter) => boolean): void {
    this.refusing = true;
    for (const waiter of [...this.waiters.values()]) {
      if (whom(waiter)) this.departures.leave(waiter, this.departures.closed(waiter));
      waiter.waits = false;
    }
  }

  /** Redis is back: everybody asks again, with the same token and the old place. */
  resume(): void {
    for (const waiter of this.waiters.values()) {
      if (!waiter.inFlight && waiter.ticket === '') this.submit(waiter);
    }
    this.rooms.pollAll();
  }

  pollAll(): void {
    this.rooms.pollAll();
  }

  submit(waiter: Waiter): void {
    const { servers, wakes } = this.context;
    if (waiter.done || waiter.inFlight) return;
    const { kind, keys } = waiter.request;
    const link = servers.of(keys.owner);
    if (!link.ready) {
      if (!waiter.waits && link.down) this.departures.fail(waiter, link.unanswered());
      return;
    }
    const wake = wakes.of(keys);
    // Nobody queues before the channel is there that would tell of the grant; a free lock is taken without it.
    const queues = waiter.waits && wake.settled;
    waiter.inFlight = true;
    waiter.sent = true;
    waiter.mustConfirm = false;
    servers.acquire(kind, new Submission(this, waiter, wake.pushable, queues, queues && wake.wantsGreeting()));
  }

  answered({ waiter, pushable, queues }: Submission, answer: Answer): void {
    waiter.inFlight = false;
    const granted = readGrantAtOnce(answer.reply);
    if (granted) {
      this.learn(answer, granted.serverTime);
      return this.own(waiter, granted.fence, waiter.leases.plain, answer);
    }
    const acquired = readAcquireAnswer(answer.reply, pushable);
    this.settle([waiter], acquired, answer);
    if (queues || acquired.tokens[0]?.fence !== 0) return;
    const again = acquired.more || this.overtookRelease(waiter, answer.sentAt);
    this.notQueued(waiter, again);
  }

  pollFailed(waiters: readonly Waiter[], error: unknown): void {
    for (const waiter of waiters) {
      this.departures.inTrouble(waiter, error);
      if (!waiter.done && !isPassing(error)) this.departures.fail(waiter, error);
    }
  }

  /** Reads an answer that concerns these waiters, in the order in which they stood in the request. */
  settle(waiters: readonly Waiter[], answer: AcquireAnswer, at: Answer): void {
    const { wakes } = this.context;
    const wake = wakes.of((waiters[0] as Waiter).request.keys);
    this.learn(at, answer.serverTime);
    if (answer.muted) wake.refuse('PUBLISH is denied');
    if (!answer.heard && wake.pushable) wake.reopen();
    if (answer.void) {
      for (const waiter of waiters) {
        this.departures.setDeadline(waiter);
        this.again(waiter);
      }
      return;
    }
    waiters.forEach((waiter, i) => {
      const { fence, rest, ticket } = answer.tokens[i] as TokenAnswer;
      if (!waiter.done) waiter.hear(answer);
      if (fence > 0) this.own(waiter, fence, rest, at);
      else if (!waiter.done) this.stand(waiter, ticket, answer);
    });
  }

  private learn({ link, epoch, sentAt, receivedAt }: Answer, serverTime: number): void {
    if (epoch === link.epoch) link.server.learn(sentAt, serverTime, receivedAt);
  }

  /** @param lease ms that were left of it when the server answered */
  private own(waiter: Waiter, fence: number, lease: number, { link, sentAt, receivedAt }: Answer): void {
    link.server.noteFence(fence);
    if (waiter.done) return;
    waiter.trouble = undefined;
    if (waiter.ticket !== '') this.context.wakes.of(waiter.request.keys).verify();
    this.enter(waiter, fence, sentAt + lease - safetyMargin(lease), lease, receivedAt);
  }

  /** @param ticket its place in the queue; empty where it has none */
  private stand(waiter: Waiter, ticket: string, answer: AcquireAnswer): void {
    waiter.answered = true;
    if (waiter.waits) this.departures.setDeadline(waiter);
    if (ticket === '') return;
    if (!waiter.waits) return this.departures.leave(waiter, this.departures.closed(waiter));
    waiter.ticket = ticket;
    // What was past is over, and the next grant is another one.
    waiter.confirmations = 0;
    this.rooms.join(waiter, answer);
    if (waiter.mustConfirm) this.submit(waiter);
    else this.handovers.date(waiter);
  }

  /** A try found the lock busy, or the channel was not there yet. */
  private notQueued(waiter: Waiter, again: boolean): void {
    if (waiter.done) return;
    if (again) return this.submit(waiter);
    if (!waiter.waits) {
      return this.departures.leave(
        waiter,
        this.refusing && waiter.request.wait > 0
          ? this.departures.closed(waiter)
          : this.departures.busy(waiter, waiter),
        false,
      );
    }
    const wake = this.context.wakes.of(waiter.request.keys);
    void wake.ready().then(() => this.submit(waiter));
  }

  /** Of this process, that had to be sent once more, as when the server has lost the script: it has gone out by now. */
  private overtookRelease(waiter: Waiter, sentAt: number): boolean {
    if (waiter.overtook || !this.context.farewells.begunBefore(waiter.request.keys.owner, sentAt)) return false;
    waiter.overtook = true;
    return true;
  }

  unanswered(waiter: Waiter, error: unknown): void {
    waiter.inFlight = false;
    this.departures.inTrouble(waiter, error);
    if (waiter.done) return;
    if (!waiter.waits || !isPassing(error)) return this.departures.fail(waiter, error);
    this.departures.setDeadline(waiter);
    if (this.context.servers.of(waiter.request.keys.owner).ready) this.again(waiter);
  }

  private again(waiter: Waiter): void {
    const { runtime } = this.context;
    runtime.setTimeout(() => this.submit(waiter), RETRY * (0.5 + runtime.random())).unref?.();
  }

  /**
   * @param validUntil end of the lease, on the clock of the engine
   * @param lease ms that were asked for
   */
  enter(waiter: Waiter, fence: number, validUntil: number, lease: number, now: number): void {
    if (now >= validUntil) {
      // Past already: ask whether it is still ours, with a fresh lease. An answer that is always late will not get better.
      if (++waiter.confirmations > MOST_CONFIRMATIONS) {
        return this.departures.fail(
          waiter,
          new Error('every grant was over by the time its answer arrived; raise ttl'),
        );
      }
      this.departures.setDeadline(waiter);
      waiter.mustConfirm = true;
      return this.submit(waiter);
    }
    this.departures.remove(waiter);
    this.context.servers.of(waiter.request.keys.owner).accepted();
    waiter.applicant.granted({ token: waiter.token, fence, grantedAt: now, validUntil, lease }, waiter);
  }
}
