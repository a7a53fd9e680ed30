import { LockClosedError } from '../errors/lock-closed.error.js';
import type { LockInspection } from '../interfaces/inspection.interface.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import { redisKeys, type RedisKeys } from '../keys/redis-keys.js';
import type { ReplicaQuorum } from '../options/settings.interface.js';
import type { AcquireRequest } from './acquire-request.interface.js';
import { unavailable } from './connection/failures.js';
import type { EngineContext } from './engine-context.js';
import type { Farewell } from './farewells.js';
import type { Holding } from './holding.interface.js';
import type { HeldLease } from './holding/held-lease.js';
import type { LeaseKeeper } from './holding/lease-keeper.js';
import { readInspection } from './inspection.js';
import type { LockEngine } from './lock-engine.interface.js';
import type { ReplicaBarrier } from './replicas/replica-barrier.js';
import type { Acquirer } from './waiting/acquirer.js';

/** Locks and semaphores with direct hand-off over one Redis: who releases makes the head of the queue the owner. */
export class HandoffEngine implements LockEngine {
  private closing: Promise<void> | undefined;
  /** The work under locks has ended, or had its time. */
  private closed = false;

  constructor(
    private readonly context: EngineContext,
    private readonly acquirer: Acquirer,
    private readonly keeper: LeaseKeeper,
    private readonly barrier: ReplicaBarrier,
  ) {
    const { commands, wake, farewells } = context;
    commands.onReady = () => this.resume();
    wake.onMessage = (message) => acquirer.receive(message);
    wake.onListening = () => acquirer.pollAll();
    wake.needed = () => acquirer.waiting;
    farewells.onMore = (farewell) => this.driveOn(farewell);
    farewells.onMuted = () => wake.refuse('PUBLISH is denied');
  }

  names(kind: LockKind, name: string): RedisKeys {
    return redisKeys(kind, name, { prefix: this.context.prefix });
  }

  open(): void {
    if (!this.closed) this.context.commands.open();
  }

  acquire(request: AcquireRequest): Promise<Holding> {
    if (this.closed || (this.closing && !request.inside)) {
      return Promise.reject(
        new LockClosedError(`The application is shut down: no lock "${request.name}".`, request.name),
      );
    }
    this.open();
    const acquired = this.acquirer.acquire(request);
    return request.replicas === undefined ? acquired : this.replicated(acquired, request.replicas);
  }

  async inspect(kind: LockKind, name: string): Promise<LockInspection> {
    const { owner, queue } = this.names(kind, name);
    const reply = await this.ask(name, 'inspected', () =>
      this.context.commands.run(`${kind}-inspect`, [owner, queue], []),
    );
    return { key: name, kind, redisKey: owner, ...readInspection(reply) };
  }

  async forceRelease(kind: LockKind, name: string): Promise<boolean> {
    const { commands, times, wake } = this.context;
    const { owner, queue, seen } = this.names(kind, name);
    const reply = await this.ask(name, 'released by force', () =>
      commands.run(`${kind}-force-release`, [owner, queue, seen], [commands.server.lastFence, times.pollInterval]),
    );
    const [ended, more, muted] = reply as [number, number, number];
    if (more) this.driveOn({ kind, keys: { owner, queue, seen } });
    if (muted) wake.refuse('PUBLISH is denied');
    return ended > 0;
  }

  refuseWaits(): void {
    // The lock of whom the server has not answered yet may be free.
    this.acquirer.refuse((waiter) => waiter.waits && (!waiter.inFlight || waiter.ticket !== ''));
  }

  close(): Promise<void> {
    return (this.closing ??= this.shutDown());
  }

  private async replicated(acquired: Promise<HeldLease>, quorum: ReplicaQuorum): Promise<Holding> {
    const lease = await acquired;
    try {
      await this.barrier.pass(lease, quorum);
      lease.request.signal?.throwIfAborted();
      return lease;
    } catch (error) {
      // What Redis does not answer runs out by itself.
      await lease.decline().catch(() => false);
      throw error;
    }
  }

  private async shutDown(): Promise<void> {
    const { commands, wake, leases, farewells, times } = this.context;
    // An answer that is still under way must not make somebody an owner who cannot give back any more.
    this.acquirer.refuse((waiter) => waiter.waits || !waiter.request.inside);
    await this.atMost(times.shutdownTimeout, leases.empty());
    this.closed = true;
    this.acquirer.refuse(() => true);
    const parting = leases.releaseAll();
    // What Redis does not answer runs out by itself.
    if (commands.ready) await this.atMost(times.commandTimeout, Promise.all([parting, farewells.idle()]));
    wake.close();
    this.barrier.close();
    commands.close();
  }

  private resume(): void {
    this.context.farewells.resend();
    this.keeper.look();
    this.acquirer.resume();
  }

  /** So many dead waiters stood in front that the script stopped half way. */
  private driveOn({ kind, keys: { owner, queue, seen } }: Pick<Farewell, 'kind' | 'keys'>): void {
    const { commands, times } = this.context;
    const { server } = commands;
    const args = [server.now() + times.commandTimeout, server.lastFence, times.pollInterval, 0, 0];
    // Waiters find out by their own polls if this does not get through.
    commands.run(`${kind}-acquire`, [owner, queue, seen], args).then(
      ({ reply }) => {
        if ((reply as unknown[])[4] === 1) this.driveOn({ kind, keys: { owner, queue, seen } });
      },
      () => undefined,
    );
  }

  private async ask(name: string, what: string, send: () => Promise<{ reply: unknown }>): Promise<unknown> {
    if (this.closed) throw new LockClosedError(`The application is shut down: "${name}" cannot be ${what}.`, name);
    this.open();
    try {
      await this.context.commands.whenReady();
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
