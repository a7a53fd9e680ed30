import type { ExecutionContext } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { isBusy } from './context/is-busy.js';

/** Tells an HTTP client when to come back, if `error` says that a lock is busy. The error itself goes its way. */
export function setRetryAfter(error: unknown, context: ExecutionContext, host: HttpAdapterHost | undefined): void {
  if (!isBusy(error) || context.getType() !== 'http') return;
  const adapter = host?.httpAdapter;
  const response: unknown = context.switchToHttp().getResponse();
  if (!adapter || adapter.isHeadersSent(response)) return;
  adapter.setHeader(response, 'Retry-After', String(error.retryAfter));
}
