import type { AcquireRequest } from '../acquire-request.interface.js';
import { SlotMap } from '../collections/slot-map.js';
import type { Answer } from '../connection/command-connection.js';
import { isPassing } from '../connection/failures.js';
import type { EngineContext } from '../engine-context.js';
import { safetyMargin } from '../margin.js';
import { readAcquireAnswer, type AcquireAnswer, type TokenAnswer } from './answer.js';
import { Departures } from './departures.js';
import { readGrant, readRevocation, validityOfGrant, type GrantMessage } from './grant.js';
import { Submission, type SubmissionHost } from './submission.js';
import { leasesOf, Waiter, type Applicant } from './waiter.js';
import { WaitingRooms, type PollHost } from './waiting-rooms.js';

const MOST_CONFIRMATIONS = 2;
const RETRY = 100;
const ACQUIRE = { lock: 'lock-acquire', semaphore: 'semaphore-acquire' } as const;

/** Gets leases: asks, queues, polls, and takes what is handed over. */
export class Acquirer implements PollHost, SubmissionHost {
  /** No new waiting; pending waiters have been sent away. */
  private refusing = false;
  private readonly waiters = new SlotMap<Waiter>();
  private readonly rooms: WaitingRooms;
  readonly departures: Departures;

  constructor(private readonly context: EngineContext) {
    this.rooms = new WaitingRooms(context, this);
    this.departures = new Departures(context, this.waiters, this.rooms);
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

  /** @param address of the server that sent it */
  receive(message: string, address: string): void {
    const grant = readGrant(message);
    if (grant) return this.granted(grant, address);
    const revoked = readRevocation(message);
    const lease = revoked === undefined ? undefined : this.context.leases.get(revoked);
    if (!lease) return;
    lease.disowned = true;
    lease.lose('it was released by force');
  }

  private submit(waiter: Waiter): void {
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
    servers.ask(ACQUIRE[kind], new Submission(this, waiter, wake.pushable, queues));
  }

  answered({ waiter, pushable, queues }: Submission, answer: Answer): void {
    waiter.inFlight = false;
    const acquired = readAcquireAnswer(answer.reply, pushable, waiter.leases.plain);
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
    const { link } = at;
    const wake = wakes.of((waiters[0] as Waiter).request.keys);
    if (at.epoch === link.epoch) link.server.learn(at.sentAt, answer.serverTime, at.receivedAt);
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
      const own = answer.tokens[i] as TokenAnswer;
      link.server.noteFence(own.fence);
      if (waiter.done) return;
      waiter.hear(answer);
      if (own.fence === 0) {
        waiter.answered = true;
        if (waiter.waits) this.departures.setDeadline(waiter);
      }
      if (own.fence > 0) {
        if (waiter.ticket !== '') wake.verify();
        this.enter(waiter, own.fence, at.sentAt + own.rest - safetyMargin(own.rest), own.rest, at.receivedAt);
      } else if (own.ticket !== '') {
        if (!waiter.waits) return this.departures.leave(waiter, this.departures.closed(waiter));
        waiter.ticket = own.ticket;
        // What was past is over, and the next grant is another one.
        waiter.confirmations = 0;
        this.rooms.join(waiter, answer);
        if (waiter.mustConfirm) this.submit(waiter);
        else this.datePendingGrant(waiter);
      }
    });
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

  private granted(grant: GrantMessage, address: string): void {
    const { servers, clock, leases, farewells } = this.context;
    const link = servers.of(grant.ownerKey);
    if (link.address === address) link.server.noteFence(grant.fence);
    const waiter = this.waiters.get(grant.token);
    if (waiter) {
      waiter.pendingGrant = { fence: grant.fence, expiry: grant.expiry, receivedAt: clock.now(), address };
      this.datePendingGrant(waiter);
    } else if (!leases.get(grant.token)) {
      // Whoever asked is gone. Where its cancel is under way this one finds nothing left to do.
      farewells.say({
        ...this.rooms.whereabouts(grant.ownerKey),
        token: grant.token,
        fence: grant.fence,
        keepUntil: 0,
      });
    }
  }

  /** Enters on a hand-off, if there is an answered request to date it by; else the answer that is under way will do. */
  private datePendingGrant(waiter: Waiter): void {
    const { servers, clock } = this.context;
    const grant = waiter.pendingGrant;
    if (!grant || waiter.done) return;
    const link = servers.of(waiter.request.keys.owner);
    const { reference } = link.server;
    const datable = reference && link.ready && link.address === grant.address;
    if (!datable) return waiter.inFlight ? undefined : this.submit(waiter);
    waiter.pendingGrant = undefined;
    const now = clock.now();
    this.rooms.outlive(waiter);
    const validUntil = validityOfGrant(reference, grant, waiter.leases.handed, now);
    this.enter(waiter, grant.fence, validUntil, waiter.leases.handed, now);
  }

  private enter(waiter: Waiter, fence: number, validUntil: number, lease: number, now: number): void {
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
