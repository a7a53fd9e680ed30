import type { Answer, CommandConnection } from './command-connection.js';
import { isPassing, isReply, isUnknownScript } from './failures.js';
import {
  fail,
  isRelease,
  isWanted,
  joinCalls,
  splitReply,
  tell,
  type CallTimes,
  type LockCall,
  type LockScript,
} from './lock-calls.js';

/** Locks in one command: the client deals with the answer to one command while the server works on the next. */
const MOST_PER_COMMAND = 32;

/** The order in which they go out: a lock that is given back and asked for again is free by then. */
const ORDER: readonly LockScript[] = ['lock-release', 'semaphore-release', 'lock-acquire', 'semaphore-acquire'];

/** Taken now, since tests may put a clock of their own in the place of the one of the process. */
const nextTick = process.nextTick.bind(process);

/**
 * Puts calls for different locks that come in one tick into one command. It goes out when the program has nothing more to do
 * but wait, so nobody waits for others; everybody gets the answer that a command of its own would have got.
 */
export class LockBatches {
  private readonly waiting: Record<LockScript, LockCall[]> = {
    'lock-release': [],
    'semaphore-release': [],
    'lock-acquire': [],
    'semaphore-acquire': [],
  };
  private planned = false;

  constructor(
    private readonly link: Pick<CommandConnection, 'dispatch' | 'failure' | 'server'>,
    private readonly times: CallTimes,
  ) {}

  ask(name: LockScript, call: LockCall): void {
    // Else a token could be asked for after it was given back.
    if (isRelease(name) && this.asksFor(call.keys.owner)) this.flush();
    if (this.waiting[name].push(call) >= MOST_PER_COMMAND) return this.flush();
    if (this.planned) return;
    this.planned = true;
    nextTick(this.end);
  }

  /** Sends what waits for the end of the tick. */
  flush(): void {
    for (const name of ORDER) {
      const calls = this.waiting[name];
      if (calls.length === 0) continue;
      this.waiting[name] = [];
      this.send(name, calls);
    }
  }

  private readonly end = (): void => {
    this.planned = false;
    this.flush();
  };

  private asksFor(owner: string): boolean {
    const same = ({ keys }: LockCall): boolean => keys.owner === owner;
    return this.waiting['lock-acquire'].some(same) || this.waiting['semaphore-acquire'].some(same);
  }

  private send(name: LockScript, calls: readonly LockCall[]): void {
    this.link.dispatch(
      joinCalls(name, calls, this.link.server, this.times),
      (answer) => this.answered(name, calls, answer),
      (error) => this.failed(name, calls, error),
    );
  }

  private answered(name: LockScript, calls: readonly LockCall[], answer: Answer): void {
    const [first] = calls;
    if (first && calls.length === 1) return tell(first, answer);
    const { sentAt, receivedAt, epoch, link } = answer;
    const replies = splitReply(name, answer.reply, calls.length);
    calls.forEach((call, i) => {
      const reply = replies[i];
      if (reply instanceof Error) fail(call, this.link.failure(reply));
      else tell(call, { reply, sentAt, receivedAt, epoch, link });
    });
  }

  /** Nothing was done for anybody where the server answered to the whole command with an error. */
  private failed(name: LockScript, calls: readonly LockCall[], error: Error): void {
    // Some are not wanted any more, or some are to blame, say for a key that the user has no right to.
    const unknown = isUnknownScript(error);
    const again = calls.length > 1 && (unknown || (isReply(error) && !isPassing(error)));
    const left: LockCall[] = [];
    for (const call of calls) {
      if (!again || !isWanted(call)) fail(call, error);
      else if (unknown) left.push(call);
      else this.send(name, [call]);
    }
    if (left.length > 0) this.send(name, left);
  }
}
