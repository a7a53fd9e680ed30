import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { LockBusyError } from 'nestjs-redis-lock';
import type { Response } from 'express';

/** A filter of the application, which shapes the body as it likes. */
@Catch(LockBusyError)
export class TeapotFilter implements ExceptionFilter<LockBusyError> {
  catch(error: LockBusyError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ again: error.retryAfter });
  }
}
