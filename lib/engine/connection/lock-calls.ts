import type { LockKind } from '../../interfaces/lock-kind.type.js';
import type { RedisKeys } from '../../keys/redis-keys.js';
import type { Answer } from './command-connection.js';
import type { ScriptArgument, ScriptCall } from './scripts.js';
import type { ServerClock } from './server-clock.js';

/** What a script that takes locks or gives them back is asked for one lock. */
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

/** What one command does: it gives locks of one kind back, and then takes others. */
export interface LockBatch {
  readonly kind: LockKind;
  readonly releases: readonly LockCall[];
  readonly acquires: readonly LockCall[];
}

/** Times that every call tells, ms. */
export interface CallTimes {
  readonly commandTimeout: number;
  readonly pollInterval: number;
}

const SCRIPTS = {
  lock: { acquire: 'lock-acquire', release: 'lock-release', exchange: 'lock-exchange' },
  semaphore: { acquire: 'semaphore-acquire', release: 'semaphore-release', exchange: 'semaphore-exchange' },
} as const;

const NONE: readonly LockCall[] = [];

export function toAcquire(kind: LockKind, calls: readonly LockCall[]): LockBatch {
  return { kind, releases: NONE, acquires: calls };
}

export function toRelease(kind: LockKind, calls: readonly LockCall[]): LockBatch {
  return { kind, releases: calls, acquires: NONE };
}

/** In the order in which the server deals with them. */
export function callsOf({ releases, acquires }: LockBatch): readonly LockCall[] {
  if (acquires.length === 0) return releases;
  return releases.length === 0 ? acquires : [...releases, ...acquires];
}

export function scriptOf({ kind, releases, acquires }: LockBatch): ScriptCall['name'] {
  if (releases.length === 0) return SCRIPTS[kind].acquire;
  return acquires.length === 0 ? SCRIPTS[kind].release : SCRIPTS[kind].exchange;
}

/**
 * One command for all of these calls.
 *
 * @param inFull see `ScriptCall.inFull`
 */
export function joinCalls(batch: LockBatch, server: ServerClock, times: CallTimes, inFull = false): ScriptCall {
  const calls = callsOf(batch);
  const keys: string[] = [];
  let { lastFence } = server;
  for (const { keys: own, fence = 0 } of calls) {
    keys.push(own.owner, own.queue, own.seen);
    if (fence > lastFence) lastFence = fence;
  }
  const args = argumentsOf(batch, server.now() + times.commandTimeout, lastFence, times.pollInterval);
  for (const { text } of calls) args.push(text);
  if (batch.acquires.length === 0 && keepsAny(calls)) for (const { keep = 0 } of calls) args.push(keep);
  return { name: scriptOf(batch), keys, args, wanted: () => calls.every(isWanted), inFull };
}

/** Some lock is to stay closed, which only the scripts that do nothing but release can do. */
export function keepsAny(releases: readonly LockCall[]): boolean {
  return releases.some(({ keep = 0 }) => keep !== 0);
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

/** What one of several calls in one command is answered, as if it had been alone; an error concerns only its own. */
export function replyTo({ releases, acquires }: LockBatch, reply: unknown, index: number): unknown {
  const answers = reply as unknown[];
  // In front is the time, which releases alone do not tell.
  const own = answers[acquires.length === 0 ? index : index + 1];
  if (own instanceof Error) return own;
  return index < releases.length ? [own] : [answers[0], own];
}

/** What stands in front of the texts. */
function argumentsOf(
  { releases, acquires }: LockBatch,
  notAfter: number,
  lastFence: number,
  pollInterval: number,
): ScriptArgument[] {
  if (acquires.length === 0) return [lastFence, pollInterval];
  const front = [notAfter, lastFence, pollInterval];
  if (releases.length > 0) front.push(releases.length);
  return front;
}
