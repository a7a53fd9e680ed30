import { Catch, HttpException, HttpStatus, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { LockBusyError } from 'nestjs-redis-lock';
import type { ServerResponse } from 'node:http';

/** Catches everything, on any platform. */
@Catch()
export class CatchAllFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const { httpAdapter } = this.adapterHost;
    const statusCode = exception instanceof HttpException ? exception.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR;
    const body = exception instanceof HttpException ? exception.getResponse() : 'failed';
    httpAdapter.reply(host.switchToHttp().getResponse(), { by: 'catch-all', body }, statusCode);
  }
}

/** Catches everything, looks at it, and leaves the answer to Nest. */
@Catch()
export class WatchingFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse & { raw?: ServerResponse }>();
    (response.raw ?? response).setHeader('X-Seen', (exception as Error).name);
    super.catch(exception, host);
  }
}

@Catch(HttpException)
export class HttpExceptionFilter implements ExceptionFilter<HttpException> {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: HttpException, host: ArgumentsHost): void {
    const body = { by: 'http', body: exception.getResponse() };
    this.adapterHost.httpAdapter.reply(host.switchToHttp().getResponse(), body, exception.getStatus());
  }
}

/** Adds the header wherever the error was thrown, also in a guard. */
@Catch(LockBusyError)
export class BusyFilter extends BaseExceptionFilter<LockBusyError> {
  override catch(error: LockBusyError, host: ArgumentsHost): void {
    // Middleware of Fastify has the raw response.
    const response = host.switchToHttp().getResponse<ServerResponse & { raw?: ServerResponse }>();
    (response.raw ?? response).setHeader('Retry-After', error.retryAfter);
    super.catch(error, host);
  }
}
