import {
  BadRequestException,
  Catch,
  createParamDecorator,
  Injectable,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { LockBusyError } from 'nestjs-redis-lock';
import { map, of, type Observable } from 'rxjs';

/** Answers by itself when the request asks for it, else wraps what the handler gives. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { known } = context.switchToHttp().getRequest<Request>().query;
    if (known !== undefined) return of({ known });
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

@Injectable()
export class UpperCasePipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (/\d/.test(value)) throw new BadRequestException('no digits');
    return value.toUpperCase();
  }
}

export class SoldOutError extends Error {}

@Catch(SoldOutError, LockBusyError)
export class GoneFilter implements ExceptionFilter<Error> {
  catch({ name, message }: Error, host: ArgumentsHost): void {
    const reason = name === LockBusyError.name ? 'busy' : message;
    host.switchToHttp().getResponse<Response>().status(410).json({ reason });
  }
}

/** One header of the request. */
export const FromHeader = createParamDecorator((name: string, context: ExecutionContext) =>
  context.switchToHttp().getRequest<Request>().get(name),
);
