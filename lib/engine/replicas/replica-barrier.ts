import { LockUnavailableError } from '../../errors/lock-unavailable.error.js';
import type { LockKind } from '../../interfaces/lock-kind.type.js';
import type { ReplicaQuorum } from '../../options/settings.interface.js';
import type { Clock } from '../clock.js';
import type { CommandConnection } from '../connection/command-connection.js';
import { unavailable } from '../connection/failures.js';
import type { HeldLease } from '../holding/held-lease.js';

const MOST_PER_COMMAND = 100;

interface Passage {
  readonly lease: HeldLease;
  readonly quorum: ReplicaQuorum;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets a grant pass once enough replicas have it, so that a failover does not forget it.
 *
 * WAIT counts only what its own connection has written, and after a hand-off it was the releaser who wrote. So each grant is
 * renewed first, and the WAIT comes behind that on the same connection. It keeps everything behind it waiting, hence a
 * connection of its own; and those that come meanwhile share the next one.
 */
export class ReplicaBarrier {
  private readonly queue: Passage[] = [];
  private connection: CommandConnection | undefined;
  private running = false;

  /** @param connect makes the connection, at the first use */
  constructor(
    private readonly clock: Clock,
    private readonly connect: () => CommandConnection,
  ) {}

  /**
   * @throws LockUnavailableError when too few replicas have answered in time, or Redis has not
   * @throws LockLostError when the lease is no longer ours
   */
  pass(lease: HeldLease, quorum: ReplicaQuorum): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ lease, quorum, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  close(): void {
    this.connection?.close();
  }

  private async run(): Promise<void> {
    this.running = true;
    // Those that ask in the same tick go together.
    await Promise.resolve();
    for (let batch = this.nextBatch(); batch.length > 0; batch = this.nextBatch()) await this.confirm(batch);
    this.running = false;
  }

  /** The first in line and all who ask for the same as it does. */
  private nextBatch(): Passage[] {
    const quorum = this.queue[0]?.quorum;
    const batch: Passage[] = [];
    for (let i = 0; i < this.queue.length && batch.length < MOST_PER_COMMAND;) {
      const passage = this.queue[i] as Passage;
      if (passage.quorum.min === quorum?.min && passage.quorum.timeout === quorum.timeout) {
        batch.push(...this.queue.splice(i, 1));
      } else {
        i++;
      }
    }
    return batch;
  }

  /** Never rejects. */
  private async confirm(batch: Passage[]): Promise<void> {
    try {
      const connection = (this.connection ??= this.connect());
      connection.open();
      await connection.whenReady();
      const kinds = new Set(batch.map(({ lease }) => lease.request.kind));
      const renewed = await Promise.all([...kinds].map((kind) => this.write(connection, kind, batch)));
      const passages = renewed.flat();
      if (passages.length === 0) return;
      const { min, timeout } = (passages[0] as Passage).quorum;
      const reached = await connection.waitForReplicas(min, timeout);
      for (const { lease, resolve, reject } of passages) {
        if (reached >= min) resolve();
        else reject(tooFew(lease, reached, min, timeout));
      }
    } catch (error) {
      for (const { lease, reject } of batch) {
        const what = `Lock "${lease.name}" could not be confirmed by its replicas and was given back`;
        reject(unavailable(what, error, lease.name));
      }
    }
  }

  /** @returns those that are still ours */
  private async write(connection: CommandConnection, kind: LockKind, batch: Passage[]): Promise<Passage[]> {
    const passages = batch.filter(({ lease }) => lease.request.kind === kind);
    const now = this.clock.now();
    // More than it has, since a renewal that lengthens nothing writes nothing.
    const leases = passages.map(({ lease }) => Math.max(lease.wantedLease(now), Math.ceil(lease.lease)) + 1);
    const keys = passages.map(({ lease }) => lease.request.keys.owner);
    const tokens = passages.map(({ lease }) => lease.token);
    const { reply, sentAt } = await connection.run(`${kind}-renew`, keys, [...tokens, ...leases]);
    return passages.filter(({ lease, reject }, i) => {
      const ours = (reply as number[])[i] === 1;
      if (ours) lease.renewed(sentAt, leases[i] as number);
      else reject(lease.disown());
      return ours;
    });
  }
}

function tooFew({ name }: HeldLease, reached: number, min: number, timeout: number): LockUnavailableError {
  return new LockUnavailableError(
    `Lock "${name}" reached ${reached} of ${min} replicas within ${timeout} ms and was given back.`,
    name,
  );
}
