import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { tap, type Observable } from 'rxjs';
import { setRetryAfter } from './set-retry-after.js';

/**
 * Adds `Retry-After` to the answer to a busy lock and lets the error go on to the filters of the application: a filter of
 * ours would take their place.
 *
 * @internal
 */
@Injectable()
export class RetryAfterInterceptor implements NestInterceptor {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(tap({ error: (error) => setRetryAfter(error, context, this.adapterHost) }));
  }
}
