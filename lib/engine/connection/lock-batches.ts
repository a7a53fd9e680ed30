import type { Answer, CommandConnection } from './command-connection.js';
import { isPassing, isReply, isUnknownScript } from './failures.js';
import { isRelease, joinCalls, splitReply, type CallTimes, type LockCall, type LockScript } from './lock-calls.js';

/** Locks in one command: a server does nothing else while it runs a script. */
const MOST_PER_COMMAND = 64;

interface Asked {
  readonly call: LockCall;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Taken now, since tests may put a clock of their own in the place of the one of the process. */
const { nextTick } = process;

/**
 * Puts calls for different locks that come in one tick into one command. It goes out when the program has nothing more to do
 * but wait, so nobody waits for others; everybody gets the answer that a command of its own would have got.
 */
export class LockBatches {
  /** In the order in which they go out: a lock that is given back and asked for again is free by then. */
  private readonly waiting = new Map<LockScript, Asked[]>([
    ['lock-release', []],
    ['semaphore-release', []],
    ['lock-acquire', []],
    ['semaphore-acquire', []],
  ]);
  private planned = false;

  constructor(
    private readonly link: CommandConnection,
    private readonly times: CallTimes,
  ) {}

  ask(name: LockScript, call: LockCall): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Else a token could be asked for after it was given back.
      if (isRelease(name) && this.asksFor(call.keys.owner)) this.flush();
      const asked = this.of(name);
      asked.push({ call, resolve, reject });
      if (asked.length >= MOST_PER_COMMAND) return this.flush();
      if (this.planned) return;
      this.planned = true;
      nextTick(this.end);
    });
  }

  /** Sends what waits for the end of the tick. */
  flush(): void {
    for (const [name, asked] of this.waiting) {
      if (asked.length > 0) this.send(name, asked.splice(0));
    }
  }

  private readonly end = (): void => {
    this.planned = false;
    this.flush();
  };

  private of(name: LockScript): Asked[] {
    return this.waiting.get(name) as Asked[];
  }

  private asksFor(owner: string): boolean {
    const same = ({ call }: Asked): boolean => call.keys.owner === owner;
    return this.of('lock-acquire').some(same) || this.of('semaphore-acquire').some(same);
  }

  private send(name: LockScript, asked: readonly Asked[]): void {
    const { link, times } = this;
    const calls = asked.map(({ call }) => call);
    const wanted = (): boolean => calls.every(isWanted);
    link.call({ ...joinCalls(name, calls, link.server, times), wanted }).then(
      (answer) => {
        const replies = splitReply(name, answer.reply, calls.length);
        asked.forEach(({ resolve, reject }, i) => {
          const reply = replies[i];
          if (reply instanceof Error) reject(link.failure(reply));
          else resolve({ ...answer, reply });
        });
      },
      (error: unknown) => this.failed(name, asked, error),
    );
  }

  /** Nothing was done for anybody where the server answered to the whole command with an error. */
  private failed(name: LockScript, asked: readonly Asked[], error: unknown): void {
    // Some are not wanted any more, or some are to blame, say for a key that the user has no right to.
    const unknown = isUnknownScript(error);
    const again = asked.length > 1 && (unknown || (isReply(error) && !isPassing(error)));
    const left = again ? asked.filter(({ call }) => isWanted(call)) : [];
    for (const one of asked) if (!left.includes(one)) one.reject(error);
    if (unknown && left.length > 0) this.send(name, left);
    else for (const one of left) this.send(name, [one]);
  }
}

function isWanted({ wanted }: LockCall): boolean {
  return wanted?.() !== false;
}
