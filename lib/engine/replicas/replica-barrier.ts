import { LockUnavailableError } from '../../errors/lock-unavailable.error.js';
import type { ReplicaQuorum } from '../../options/settings.interface.js';
import type { Clock } from '../clock.js';
import type { CommandConnection } from '../connection/command-connection.js';
import { unavailable } from '../connection/failures.js';
import type { HeldLease } from '../holding/held-lease.js';

const MOST_PER_COMMAND = 100;
/** As many different demands can be waited for at once. */
const MOST_CONNECTIONS = 4;

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
 * renewed first, and the WAIT comes behind that on the same connection. It keeps everything behind it waiting, hence
 * connections of its own; those that ask for the same meanwhile share the next one, and a demand that is not met for long does
 * not hold up another one.
 */
export class ReplicaBarrier {
  private readonly queue: Passage[] = [];
  private readonly idle: CommandConnection[] = [];
  /** Demands that are being waited for. */
  private readonly underWay = new Set<string>();

  /**
   * @param connect makes a connection, when one more is needed; throws when there is no such server any more
   * @param batchOf see `Servers.batchOf`
   */
  constructor(
    private readonly clock: Clock,
    private readonly connect: () => CommandConnection,
    private readonly batchOf: (owner: string) => string,
  ) {}

  /**
   * @throws LockUnavailableError when too few replicas have answered in time, or Redis has not
   * @throws LockLostError when the lease is no longer ours
   */
  pass(lease: HeldLease, quorum: ReplicaQuorum): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ lease, quorum, resolve, reject });
      // Those that ask in the same tick go together.
      queueMicrotask(() => this.start());
    });
  }

  private start(): void {
    while (this.underWay.size < MOST_CONNECTIONS) {
      const next = this.queue.find(({ quorum }) => !this.underWay.has(demandOf(quorum)));
      if (next === undefined) return;
      void this.run(demandOf(next.quorum));
    }
  }

  private async run(demand: string): Promise<void> {
    this.underWay.add(demand);
    await this.confirm(this.take(demand));
    this.underWay.delete(demand);
    this.start();
  }

  /** The eldest who ask for this. */
  private take(demand: string): Passage[] {
    const batch: Passage[] = [];
    for (let i = 0; i < this.queue.length && batch.length < MOST_PER_COMMAND;) {
      if (demandOf((this.queue[i] as Passage).quorum) === demand) batch.push(...this.queue.splice(i, 1));
      else i++;
    }
    return batch;
  }

  /** Never rejects. */
  private async confirm(batch: Passage[]): Promise<void> {
    let connection: CommandConnection | undefined;
    try {
      connection = this.idle.pop() ?? this.connect();
      connection.open();
      await connection.whenReady();
      const written = connection;
      const renewed = await Promise.all([...this.split(batch)].map((part) => this.write(written, part)));
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
    } finally {
      if (connection) this.idle.push(connection);
    }
  }

  /** Into those that can be renewed with one command. */
  private split(batch: Passage[]): Iterable<Passage[]> {
    const parts = new Map<string, Passage[]>();
    for (const passage of batch) {
      const { kind, keys } = passage.lease.request;
      const part = `${kind} ${this.batchOf(keys.owner)}`;
      parts.set(part, [...(parts.get(part) ?? []), passage]);
    }
    return parts.values();
  }

  /** @returns those that are still ours */
  private async write(connection: CommandConnection, passages: Passage[]): Promise<Passage[]> {
    const { kind } = (passages[0] as Passage).lease.request;
    const now = this.clock.now();
    // More than it has, since a renewal that lengthens nothing writes nothing.
    const leases = passages.map(({ lease }) => Math.max(lease.wantedLease(now), Math.ceil(lease.lease)) + 1);
    const keys = passages.map(({ lease }) => lease.request.keys.owner);
    const tokens = passages.map(({ lease }) => lease.token);
    const { reply, sentAt } = await connection.call({ name: `${kind}-renew`, keys, args: [...tokens, ...leases] });
    if ((reply as number[]).includes(1)) connection.accepted();
    return passages.filter(({ lease, reject }, i) => {
      const ours = (reply as number[])[i] === 1;
      if (ours) lease.renewed(sentAt, leases[i] as number);
      else reject(lease.disown());
      return ours;
    });
  }
}

function demandOf({ min, timeout }: ReplicaQuorum): string {
  return `${min} within ${timeout}`;
}

function tooFew({ name }: HeldLease, reached: number, min: number, timeout: number): LockUnavailableError {
  return new LockUnavailableError(
    `Lock "${name}" reached ${reached} of ${min} replicas within ${timeout} ms and was given back.`,
    name,
  );
}
