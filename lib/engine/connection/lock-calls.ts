import type { RedisKeys } from '../../keys/redis-keys.js';
import type { LockKind } from '../../interfaces/lock-kind.type.js';
import type { Answer } from './command-connection.js';
import type { ScriptArgument, ScriptCall } from './scripts.js';
import type { ServerClock } from './server-clock.js';

/** Scripts that do for each of several locks what they do for one. */
export type LockScript = `${LockKind}-${'acquire' | 'release'}`;

/** What such a script is asked for one lock. */
export interface LockCall {
  readonly keys: RedisKeys;
  /** To acquire: what is asked for, see lua/lock-acquire-n.lua. To release: the token. */
  readonly text: string;
  /** Of a release: for how long the lock stays closed behind it, ms; 0 by default. */
  readonly keep?: number;
  /** Largest fence that it was used with, where it may be larger than the largest one of the server. */
  readonly fence?: number;
  /** See `ScriptCall.wanted`. */
  wanted?(): boolean;
  /** @param answer what the script says when it is asked for this lock alone */
  answered(answer: Answer): void;
  failed(error: unknown): void;
}

/** Times that every call tells, ms. */
export interface CallTimes {
  readonly commandTimeout: number;
  readonly pollInterval: number;
}

export function isRelease(name: LockScript): boolean {
  return name.endsWith('-release');
}

/** One command for all of these calls. */
export function joinCalls(
  name: LockScript,
  calls: readonly LockCall[],
  server: ServerClock,
  { commandTimeout, pollInterval }: CallTimes,
): ScriptCall {
  const keys: string[] = [];
  let { lastFence } = server;
  for (const { keys: own, fence = 0 } of calls) {
    keys.push(own.owner, own.queue, own.seen);
    if (fence > lastFence) lastFence = fence;
  }
  const wanted = (): boolean => calls.every(isWanted);
  if (isRelease(name)) return { name, keys, args: [lastFence, pollInterval, ...partings(calls)], wanted };
  const args: ScriptArgument[] = [server.now() + commandTimeout, lastFence, pollInterval];
  for (const { text } of calls) args.push(text);
  return { name, keys, args, wanted };
}

/** Its caller still needs the answer. */
export function isWanted(call: LockCall): boolean {
  return call.wanted?.() !== false;
}

/** Whatever goes wrong with one answer is a failure of that call alone: others have come with it. */
export function tell(call: LockCall, answer: Answer): void {
  try {
    call.answered(answer);
  } catch (error) {
    fail(call, error);
  }
}

/** As `tell`. What goes wrong here is as loud as in a promise. */
export function fail(call: LockCall, error: unknown): void {
  try {
    call.failed(error);
  } catch (fault) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it was thrown
    void Promise.reject(fault);
  }
}

/** What each of several calls in one command is answered, as if it had been alone; an error concerns only its own. */
export function splitReply(name: LockScript, reply: unknown, calls: number): readonly unknown[] {
  const answers = reply as unknown[];
  const [now] = answers;
  return Array.from({ length: calls }, (_, i) => {
    if (isRelease(name)) return answers[i] instanceof Error ? answers[i] : [answers[i]];
    return answers[i + 1] instanceof Error ? answers[i + 1] : [now, answers[i + 1]];
  });
}

function partings(calls: readonly LockCall[]): ScriptArgument[] {
  const tokens = calls.map(({ text }) => text);
  const keeps = calls.map(({ keep = 0 }) => keep);
  return keeps.some((keep) => keep !== 0) ? [...tokens, ...keeps] : tokens;
}
