import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { currentLease, lockKey, LockInterceptor, LockService, WithLock } from 'nestjs-redis-lock';
import { Observable, of } from 'rxjs';

/** Fails in every way that a lock can make a request fail. Nobody gives the key `secret:account` back. */
@Controller()
export class FailingController {
  constructor(private readonly locks: LockService) {}

  @Get('busy/decorator')
  @WithLock('secret:account', { wait: 0 })
  async decorator(): Promise<void> {}

  @Get('busy/observable')
  @WithLock('secret:account', { wait: 0 })
  observable(): Observable<string> {
    return of('never');
  }

  @Get('busy/service')
  async service(): Promise<void> {
    await this.locks.withLock(lockKey`secret:account`, { wait: 0 }, () => undefined);
  }

  @Get('busy/interceptor')
  @UseInterceptors(LockInterceptor.with('secret:account', { wait: 0 }))
  async interceptor(): Promise<void> {}

  @Get('skipped')
  @WithLock('secret:account', { onBusy: 'skip' })
  async skipped(): Promise<string | undefined> {
    return 'never';
  }

  @Get('key')
  @WithLock((): string => undefined as never)
  async key(): Promise<void> {}

  @Get('lost')
  @WithLock('secret:lost')
  async lost(): Promise<string> {
    await this.locks.forceRelease('secret:lost');
    await currentLease()
      ?.extend('1m')
      .catch(() => undefined);
    return 'result';
  }
}
