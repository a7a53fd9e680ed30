import { LockClosedError } from '../errors/lock-closed.error.js';
import type { LockInspection } from '../interfaces/inspection.interface.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import { keysOfOwner, ownerKey, type RedisKeys } from '../keys/redis-keys.js';
import type { ReplicaQuorum } from '../options/settings.interface.js';
import type { AcquireRequest } from './acquire-request.interface.js';
import { unavailable } from './connection/failures.js';
import type { ServerClock } from './connection/server-clock.js';
import type { Cohorts } from './cohort/cohorts.js';
import { eventContext } from './diagnostics.js';
import type { EngineContext } from './engine-context.js';
import type { Farewell } from './farewells.js';
import type { Holding } from './holding.interface.js';
import type { HeldLease } from './holding/held-lease.js';
import type { LeaseKeeper } from './holding/lease-keeper.js';
import { readInspection } from './inspection.js';
import type { LockEngine } from './lock-engine.interface.js';
import type { ReplicaBarriers } from './replicas/replica-barriers.js';
import { acquireText } from './waiting/acquire-text.js';
import { readAcquireAnswer } from './waiting/answer.js';
import type { Acquirer } from './waiting/acquirer.js';

/** Locks and semaphores with direct hand-off over one Redis: who releases makes the head of the queue the owner. */
export class HandoffEngine implements LockEngine {
  private closing: Promise<void> | undefined;
  /** The work under locks has ended, or had its time. */
  private closed = false;

  constructor(
    private readonly context: EngineContext,
    private readonly acquirer: Acquirer,
    private readonly cohorts: Cohorts,
    private readonly keeper: LeaseKeeper,
    private readonly barriers: ReplicaBarriers,
  ) {
    const { servers, wakes, farewells } = context;
    servers.onReady = () => this.resume();
    farewells.onMore = (farewell) => this.driveOn(farewell);
    farewells.onMuted = ({ keys }) => wakes.of(keys).refuse('PUBLISH is denied');
  }

  names(kind: LockKind, name: string): RedisKeys {
    const owner = ownerKey(kind, name, this.context);
    // Thousands may wait for the same lock.
    return this.cohorts.keysOf(owner) ?? keysOfOwner(owner);
  }

  open(): void {
    if (!this.closed) this.context.servers.open();
  }

  acquire(request: AcquireRequest): Promise<Holding> {
    if (this.closed || (this.closing && !request.inside)) {
      return Promise.reject(
        new LockClosedError(`The application is shut down: no lock "${request.name}".`, request.name),
      );
    }
    this.open();
    const context = eventContext();
    const acquired = this.cohorts.acquire(context ? { ...request, context } : request);
    return request.replicas === undefined ? acquired : this.replicated(acquired, request.replicas);
  }

  async inspect(kind: LockKind, name: string): Promise<LockInspection> {
    const { owner, queue } = this.names(kind, name);
    const reply = await this.ask(name, 'inspected', owner, () =>
      this.context.servers.run(`${kind}-inspect`, [owner, queue], () => []),
    );
    return { key: name, kind, redisKey: owner, ...readInspection(reply) };
  }

  async forceRelease(kind: LockKind, name: string): Promise<boolean> {
    const { servers, times, wakes } = this.context;
    const { owner, queue, seen } = this.names(kind, name);
    const args = ({ lastFence }: ServerClock): number[] => [lastFence, times.pollInterval];
    const reply = await this.ask(name, 'released by force', owner, () =>
      servers.run(`${kind}-force-release`, [owner, queue, seen], args),
    );
    const [ended, more, muted] = reply as [number, number, number];
    if (more) this.driveOn({ kind, keys: { owner, queue, seen } });
    if (muted) wakes.of({ owner, queue, seen }).refuse('PUBLISH is denied');
    return ended > 0;
  }

  refuseWaits(): void {
    this.cohorts.refuse();
    // The lock of whom the server has not answered yet may be free.
    this.acquirer.refuse((waiter) => waiter.waits && (!waiter.inFlight || waiter.ticket !== ''));
  }

  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private async replicated(acquired: Promise<HeldLease>, quorum: ReplicaQuorum): Promise<Holding> {
    const lease = await acquired;
    // It was passed on within the process, and has passed the barrier already.
    if (lease.confirmed) return lease;
    try {
      await this.barriers.pass(lease, quorum);
      lease.confirmed = true;
      lease.request.signal?.throwIfAborted();
      return lease;
    } catch (error) {
      // What Redis does not answer runs out by itself.
      await lease.decline().catch(() => false);
      throw error;
    }
  }

  private async shutDown(): Promise<void> {
    const { servers, wakes, leases, farewells, times } = this.context;
    this.cohorts.refuse();
    // An answer that is still under way must not make somebody an owner who cannot give back any more.
    this.acquirer.refuse((waiter) => waiter.waits || !waiter.request.inside);
    await this.atMost(times.shutdownTimeout, leases.empty());
    this.closed = true;
    this.acquirer.refuse(() => true);
    const parting = leases.releaseAll();
    // What Redis does not answer runs out by itself.
    if (servers.anyReady) await this.atMost(times.commandTimeout, Promise.all([parting, farewells.idle()]));
    this.keeper.close();
    wakes.close();
    servers.close();
  }

  private resume(): void {
    this.context.farewells.resend();
    this.keeper.look();
    this.acquirer.resume();
  }

  /** So many dead waiters stood in front that the script stopped half way. */
  private driveOn({ kind, keys }: Pick<Farewell, 'kind' | 'keys'>): void {
    // Waiters find out by their own polls if this does not get through.
    this.context.servers.acquire(kind, {
      keys,
      text: acquireText({ pushable: false, queues: false }, []),
      answered: ({ reply }) => {
        if (readAcquireAnswer(reply, false).more) this.driveOn({ kind, keys });
      },
      failed: () => undefined,
    });
  }

  private async ask(
    name: string,
    what: string,
    owner: string,
    send: () => Promise<{ reply: unknown }>,
  ): Promise<unknown> {
    if (this.closed) throw new LockClosedError(`The application is shut down: "${name}" cannot be ${what}.`, name);
    this.open();
    try {
      await this.context.servers.whenReady(owner);
      return (await send()).reply;
    } catch (error) {
      throw unavailable(`"${name}" could not be ${what}`, error, name);
    }
  }

  private atMost(ms: number, done: Promise<unknown>): Promise<unknown> {
    const { runtime } = this.context;
    return new Promise((resolve) => {
      const timer = runtime.setTimeout(() => resolve(undefined), ms);
      void done.then(() => {
        runtime.clearTimeout(timer);
        resolve(undefined);
      });
    });
  }
}
