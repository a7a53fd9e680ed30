import {
  Injectable,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type NestMiddleware,
  type PipeTransform,
} from '@nestjs/common';
import { lockKey, LockService, WithLock } from 'nestjs-redis-lock';
import type { Observable } from 'rxjs';

/** A service with a locked method, as everything around a handler may call it. */
@Injectable()
export class Bookkeeper {
  constructor(private readonly locks: LockService) {}

  @WithLock('secret:account', { wait: 0 })
  async write(): Promise<boolean> {
    return true;
  }

  async read(): Promise<boolean> {
    return this.locks.withLock(lockKey`secret:account`, { wait: 0 }, () => true);
  }
}

@Injectable()
export class LockingGuard implements CanActivate {
  constructor(private readonly bookkeeper: Bookkeeper) {}

  async canActivate(_context: ExecutionContext): Promise<boolean> {
    return this.bookkeeper.read();
  }
}

@Injectable()
export class LockingPipe implements PipeTransform {
  constructor(private readonly bookkeeper: Bookkeeper) {}

  async transform(value: unknown): Promise<unknown> {
    await this.bookkeeper.write();
    return value;
  }
}

@Injectable()
export class LockingInterceptor implements NestInterceptor {
  constructor(private readonly bookkeeper: Bookkeeper) {}

  async intercept(_context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await this.bookkeeper.read();
    return next.handle();
  }
}

@Injectable()
export class LockingMiddleware implements NestMiddleware {
  constructor(private readonly bookkeeper: Bookkeeper) {}

  async use(_request: unknown, _response: unknown, next: () => void): Promise<void> {
    await this.bookkeeper.write();
    next();
  }
}
