import type { ExecutionContext } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { catchError, throwError, type MonoTypeOperatorFunction } from 'rxjs';
import type { LockError } from './errors/index.js';
import { setRetryAfter } from './set-retry-after.js';

/** Prepares an error of ours on its way to the filters and to the client; any other one passes as it is. */
export function answerErrors<T>(
  context: ExecutionContext,
  host: HttpAdapterHost | undefined,
): MonoTypeOperatorFunction<T> {
  return catchError((error: unknown) => {
    setRetryAfter(error, context, host);
    return throwError(() => (isLockError(error) && showsMessage(context) ? withPublicMessage(error) : error));
  });
}

/** By code, so that an error of another copy of the package counts too. */
function isLockError(error: unknown): error is LockError {
  const code: unknown = (error as Partial<LockError> | null | undefined)?.code;
  return typeof code === 'string' && code.startsWith('LOCK_') && typeof (error as LockError).getResponse === 'function';
}

/**
 * Whether the client gets to see the message of an `HttpException` instead of its body: in GraphQL, and in server-sent events
 * that have begun, whose errors no filter answers.
 */
function showsMessage(context: ExecutionContext): boolean {
  if (context.getType<string>() === 'graphql') return true;
  if (context.getType() !== 'http') return false;
  const response = context.getArgByIndex<{ raw?: Sent } & Sent>(1);
  return (response.raw ?? response).headersSent === true;
}

interface Sent {
  readonly headersSent?: boolean;
}

/** The same error to everybody who asks what it is; it was made by its constructor, which must not run again. */
function withPublicMessage(error: LockError): LockError {
  const { message } = error.getResponse() as { message: string };
  return Object.assign(Object.create(error) as LockError, error, { message });
}
