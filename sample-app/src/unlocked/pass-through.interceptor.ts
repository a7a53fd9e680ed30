import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';

/** Stands in for the lock interceptor while the locks are off. */
@Injectable()
export class PassThroughInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle();
  }
}
