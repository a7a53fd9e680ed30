import { type DynamicModule, Global, Module } from '@nestjs/common';
import * as library from 'nestjs-redis-lock';
import { settings } from './settings.js';
import { PassThroughInterceptor } from './unlocked/pass-through.interceptor.js';
import { UnlockedLockService } from './unlocked/unlocked-lock.service.js';

/**
 * The one place where `UNLOCKED=1` takes effect. An application of yours has no such file: it imports these names from
 * `nestjs-redis-lock`.
 */
const off = settings.unlocked;
const leaveAsItIs = () => () => undefined;

export const WithLock = off ? (leaveAsItIs as unknown as typeof library.WithLock) : library.WithLock;

export const FairLock = off ? (leaveAsItIs as unknown as typeof library.FairLock) : library.FairLock;

export const Semaphore = off ? (leaveAsItIs as unknown as typeof library.Semaphore) : library.Semaphore;

export const LockInterceptor = off
  ? {
      with: (() => PassThroughInterceptor) as typeof library.LockInterceptor.with,
    }
  : library.LockInterceptor;

@Global()
@Module({
  providers: [{ provide: library.LockService, useClass: UnlockedLockService }],
  exports: [library.LockService],
})
class UnlockedModule {}

export function lockModule(): DynamicModule {
  return off ? { module: UnlockedModule } : library.RedisLockModule.forRoot({ connection: settings.redisUrl });
}
