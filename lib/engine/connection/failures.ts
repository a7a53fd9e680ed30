import { LockUnavailableError } from '../../errors/lock-unavailable.error.js';

/** Before Redis 7 the refusal of a command inside a script comes as part of an error of the script. */
const says = (codes: string): RegExp => new RegExp(`^(ERR Error running script .*: -)?(${codes})\\b`);

/** Answers of a server that will take commands again by itself; NOSCRIPT comes through only where the text was not sent. */
const PASSING = says('NOSCRIPT|LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|UNBLOCKED|NOREPLICAS');
const DEMOTION = says('READONLY|UNBLOCKED');

/** The connection ended, or no answer came in time: whether the server ran the command is unknown. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
}

/** Worth another try while the caller still waits. */
export function isPassing(error: unknown): boolean {
  return error instanceof UnansweredError || (error instanceof Error && PASSING.test(error.message));
}

/** An error that the server sent, as opposed to one of the way to it. */
export function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** The server does not have the script (any more). */
export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** What a server says that was a master, or is about to be none. */
export function isDemotion(error: Error): boolean {
  return DEMOTION.test(error.message);
}

/** Why an answer did not come. */
export function reasonOf(error: unknown): unknown {
  return error instanceof UnansweredError && error.cause ? error.cause : error;
}

export function unavailable(what: string, error: unknown, key?: string): LockUnavailableError {
  const cause = reasonOf(error);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LockUnavailableError(`${what}: ${reason}`, key, { cause });
}

/**
 * ioredis hangs the command on the errors of its replies, and for AUTH and HELLO that holds the password; whoever prints the
 * error would print it.
 */
export function withoutArguments<E>(error: E): E {
  const { command } = (error ?? {}) as { command?: { name?: unknown } };
  if (typeof command === 'object') Object.assign(error as object, { command: { name: command.name } });
  return error;
}
