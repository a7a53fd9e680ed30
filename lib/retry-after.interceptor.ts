import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { answerErrors } from './answer-errors.js';

/**
 * Adds `Retry-After` to the answer to a busy lock, keeps keys from clients that see messages, and lets the error go on to the
 * filters of the application: a filter of ours would take their place.
 *
 * @internal
 */
@Injectable()
export class RetryAfterInterceptor implements NestInterceptor {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(answerErrors(context, this.adapterHost));
  }
}
