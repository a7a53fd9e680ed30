import type { LockKind } from '../../interfaces/lock-kind.type.js';
import type { Answer, CommandConnection } from './command-connection.js';
import { isPassing, isReply, isUnknownScript } from './failures.js';
import {
  callsOf,
  fail,
  isWanted,
  joinCalls,
  keepsAny,
  replyTo,
  tell,
  toAcquire,
  toRelease,
  type CallTimes,
  type LockBatch,
  type LockCall,
} from './lock-calls.js';

/** Locks in one command: the client deals with the answer to one command while the server works on the next. */
const MOST_PER_COMMAND = 32;

/** Taken now, since tests may put a clock of their own in the place of the one of the process. */
const nextTick = process.nextTick.bind(process);

/** Calls that have not been sent yet. */
class Gathering {
  releases: LockCall[] = [];
  acquires: LockCall[] = [];

  constructor(readonly kind: LockKind) {}

  get size(): number {
    return this.releases.length + this.acquires.length;
  }

  asksFor(owner: string): boolean {
    return this.acquires.length > 0 && this.acquires.some(({ keys }) => keys.owner === owner);
  }

  take(): LockBatch {
    const { kind, releases, acquires } = this;
    this.releases = [];
    this.acquires = [];
    return { kind, releases, acquires };
  }
}

/**
 * Puts calls for different locks that come in one tick into one command: what is given back, and behind it what is asked for, so
 * that a lock of which both are true is free by then. It goes out when the program has nothing more to do but wait, so nobody
 * waits for others; everybody gets the answer that a command of its own would have got.
 */
export class LockBatches {
  private readonly locks = new Gathering('lock');
  private readonly semaphores = new Gathering('semaphore');
  private planned = false;
  /** On which connection an exchange went out last. */
  private readonly exchanged: Record<LockKind, number> = { lock: -1, semaphore: -1 };

  constructor(
    private readonly link: Pick<CommandConnection, 'dispatch' | 'epoch' | 'failure' | 'server'>,
    private readonly times: CallTimes,
  ) {}

  acquire(kind: LockKind, call: LockCall): void {
    const gathering = this.of(kind);
    gathering.acquires.push(call);
    this.plan(gathering);
  }

  release(kind: LockKind, call: LockCall): void {
    // Else a token could be asked for after it was given back.
    if (this.locks.asksFor(call.keys.owner) || this.semaphores.asksFor(call.keys.owner)) this.flush();
    const gathering = this.of(kind);
    gathering.releases.push(call);
    this.plan(gathering);
  }

  /** Sends what waits for the end of the tick. */
  flush(): void {
    if (this.locks.size > 0) this.sendAll(this.locks.take());
    if (this.semaphores.size > 0) this.sendAll(this.semaphores.take());
  }

  private readonly end = (): void => {
    this.planned = false;
    this.flush();
  };

  private of(kind: LockKind): Gathering {
    return kind === 'lock' ? this.locks : this.semaphores;
  }

  private plan(gathering: Gathering): void {
    if (gathering.size >= MOST_PER_COMMAND) return this.flush();
    if (this.planned) return;
    this.planned = true;
    nextTick(this.end);
  }

  private sendAll(batch: LockBatch): void {
    const { kind, releases, acquires } = batch;
    if (acquires.length === 0 || !keepsAny(releases)) return this.send(batch);
    this.send(toRelease(kind, releases));
    this.send(toAcquire(kind, acquires));
  }

  private send(batch: LockBatch): void {
    this.link.dispatch(
      joinCalls(batch, this.link.server, this.times, this.isNew(batch)),
      (answer) => this.answered(batch, answer),
      (error) => this.failed(batch, error),
    );
  }

  /**
   * The first that does both on this connection. The server may know the scripts that take or give back, and would run the next
   * call of these before it.
   */
  private isNew({ kind, releases, acquires }: LockBatch): boolean {
    if (releases.length === 0 || acquires.length === 0 || this.exchanged[kind] === this.link.epoch) return false;
    this.exchanged[kind] = this.link.epoch;
    return true;
  }

  private answered(batch: LockBatch, answer: Answer): void {
    const calls = callsOf(batch);
    const [first] = calls;
    if (first && calls.length === 1) return tell(first, answer);
    const { sentAt, receivedAt, epoch, link } = answer;
    calls.forEach((call, i) => {
      const reply = replyTo(batch, answer.reply, i);
      if (reply instanceof Error) fail(call, this.link.failure(reply));
      else tell(call, { reply, sentAt, receivedAt, epoch, link });
    });
  }

  /** Nothing was done for anybody where the server answered to the whole command with an error. */
  private failed({ kind, releases, acquires }: LockBatch, error: Error): void {
    const several = releases.length + acquires.length > 1;
    // Some are not wanted any more, or some are to blame, say for a key that the user has no right to.
    const unknown = several && isUnknownScript(error);
    const singly = several && !unknown && isReply(error) && !isPassing(error);
    const left = (calls: readonly LockCall[]): readonly LockCall[] =>
      calls.filter((call) => {
        if ((unknown || singly) && isWanted(call)) return true;
        fail(call, error);
        return false;
      });
    const again: LockBatch = { kind, releases: left(releases), acquires: left(acquires) };
    if (singly) {
      for (const call of again.releases) this.send(toRelease(kind, [call]));
      for (const call of again.acquires) this.send(toAcquire(kind, [call]));
    } else if (callsOf(again).length > 0) this.send(again);
  }
}
