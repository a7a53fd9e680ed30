import type { Answer, CommandConnection } from './command-connection.js';
import { isPassing, isReply, isUnknownScript } from './failures.js';
import {
  isRelease,
  isWanted,
  joinCalls,
  splitReply,
  type CallTimes,
  type LockCall,
  type LockScript,
} from './lock-calls.js';
import type { Done, Failed } from './scripts.js';

/** Locks in one command: a server does nothing else while it runs a script. */
const MOST_PER_COMMAND = 64;

interface Asker {
  readonly resolve: Done<Answer>;
  readonly reject: Failed;
}

/** Calls, and who waits for each of them. */
interface Batch {
  readonly calls: LockCall[];
  readonly askers: Asker[];
}

/** The order in which they go out: a lock that is given back and asked for again is free by then. */
const ORDER: readonly LockScript[] = ['lock-release', 'semaphore-release', 'lock-acquire', 'semaphore-acquire'];

/** Taken now, since tests may put a clock of their own in the place of the one of the process. */
const nextTick = process.nextTick.bind(process);

/**
 * Puts calls for different locks that come in one tick into one command. It goes out when the program has nothing more to do
 * but wait, so nobody waits for others; everybody gets the answer that a command of its own would have got.
 */
export class LockBatches {
  private readonly waiting: Record<LockScript, Batch> = {
    'lock-release': newBatch(),
    'semaphore-release': newBatch(),
    'lock-acquire': newBatch(),
    'semaphore-acquire': newBatch(),
  };
  private planned = false;

  constructor(
    private readonly link: Pick<CommandConnection, 'dispatch' | 'failure' | 'server'>,
    private readonly times: CallTimes,
  ) {}

  ask(name: LockScript, call: LockCall): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Else a token could be asked for after it was given back.
      if (isRelease(name) && this.asksFor(call.keys.owner)) this.flush();
      const { calls, askers } = this.waiting[name];
      askers.push({ resolve, reject });
      if (calls.push(call) >= MOST_PER_COMMAND) return this.flush();
      if (this.planned) return;
      this.planned = true;
      nextTick(this.end);
    });
  }

  /** Sends what waits for the end of the tick. */
  flush(): void {
    for (const name of ORDER) {
      const batch = this.waiting[name];
      if (batch.calls.length === 0) continue;
      this.waiting[name] = newBatch();
      this.send(name, batch);
    }
  }

  private readonly end = (): void => {
    this.planned = false;
    this.flush();
  };

  private asksFor(owner: string): boolean {
    const same = ({ keys }: LockCall): boolean => keys.owner === owner;
    return this.waiting['lock-acquire'].calls.some(same) || this.waiting['semaphore-acquire'].calls.some(same);
  }

  private send(name: LockScript, batch: Batch): void {
    this.link.dispatch(
      joinCalls(name, batch.calls, this.link.server, this.times),
      (answer) => this.answered(name, batch.askers, answer),
      (error) => this.failed(name, batch, error),
    );
  }

  private answered(name: LockScript, askers: readonly Asker[], answer: Answer): void {
    const [first] = askers;
    if (first && askers.length === 1) return first.resolve(answer);
    const { sentAt, epoch, link } = answer;
    const replies = splitReply(name, answer.reply, askers.length);
    askers.forEach(({ resolve, reject }, i) => {
      const reply = replies[i];
      if (reply instanceof Error) reject(this.link.failure(reply));
      else resolve({ reply, sentAt, epoch, link });
    });
  }

  /** Nothing was done for anybody where the server answered to the whole command with an error. */
  private failed(name: LockScript, { calls, askers }: Batch, error: Error): void {
    // Some are not wanted any more, or some are to blame, say for a key that the user has no right to.
    const unknown = isUnknownScript(error);
    const again = calls.length > 1 && (unknown || (isReply(error) && !isPassing(error)));
    const left = newBatch();
    calls.forEach((call, i) => {
      const asker = askers[i] as Asker;
      if (!again || !isWanted(call)) asker.reject(error);
      else if (!unknown) this.send(name, { calls: [call], askers: [asker] });
      else left.askers[left.calls.push(call) - 1] = asker;
    });
    if (left.calls.length > 0) this.send(name, left);
  }
}

function newBatch(): Batch {
  return { calls: [], askers: [] };
}
