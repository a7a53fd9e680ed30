/* eslint-disable @typescript-eslint/no-unused-vars -- compiled, never run */
import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import {
  FairLock,
  type LockDecoratorOptions,
  LockInterceptor,
  type LockInterceptorOptions,
  type LockService,
  Semaphore,
  WithLock,
} from 'nestjs-redis-lock';

/* What the decorators take besides a key, and that all of them check it. */

const shared: LockDecoratorOptions = { ttl: '5s' };
const computed: string[] = ['order', '<9>'];

export class Options {
  @WithLock('k', { ttl: '10s', wait: Infinity, connection: 'second', fair: true, releaseMode: 'background' })
  async all() {
    return 1;
  }

  @WithLock('k', shared)
  async fromElsewhere() {
    return 1;
  }

  // @ts-expect-error a misspelt option
  @WithLock('k', { tll: 5 })
  async misspelt() {}

  // @ts-expect-error a semaphore is always fair
  @Semaphore(1, 'k', { fair: false })
  async unfair() {}

  // @ts-expect-error a value that does not exist
  @WithLock('k', { onBusy: 'wait' })
  async wrongValue() {}

  // @ts-expect-error a mode that does not exist
  @Semaphore(2, 'k', { releaseMode: 'async' })
  async wrongMode() {}

  // @ts-expect-error for the interceptor only
  @WithLock('k', { abortOnDisconnect: true })
  async disconnect() {}

  // @ts-expect-error a key is needed
  @WithLock()
  async noKey() {}
}

export class SeveralKeys {
  @WithLock(['account:<0>', 'account:<1.id>', 'ledger'], { wait: '2s' })
  async transfer(from: string, to: { id: string }) {}

  // @ts-expect-error the second has no such field
  @FairLock(['account:<0>', 'account:<1.idd>'])
  async wrongField(from: string, to: { id: string }) {}

  // @ts-expect-error the first has no such parameter
  @WithLock(['account:<2>', 'account:<1>'])
  async wrongIndex(from: string, to: string) {}

  // @ts-expect-error the first is not closed, whatever comes after it
  @WithLock(['account:<0', 'account>'])
  async open(from: string) {}

  @WithLock(['a\\', '<0>'])
  async backslashBetween(from: string) {}

  @WithLock(computed)
  async elsewhere(from: string) {}

  @WithLock((from: string, to: string) => [from, to])
  async byFunction(from: string, to: string) {}

  // @ts-expect-error another type
  @WithLock((from: number) => [String(from)])
  async byWrongFunction(from: string) {}

  // @ts-expect-error a semaphore has one key
  @Semaphore(5, ['a', 'b'])
  async semaphore() {}

  // @ts-expect-error a semaphore has one key
  @Semaphore(5, () => ['a', 'b'])
  async semaphoreByFunction() {}
}

export class Combined {
  @applyDecorators(SetMetadata('a', 1), WithLock('order:<0>') as MethodDecorator)
  async pay(id: string) {}
}

export class Kinds {
  @FairLock('seat:<0.showId>')
  async reserve(dto: { showId: string }) {}

  // @ts-expect-error checked for every decorator
  @FairLock('seat:<0.show>')
  async wrongField(dto: { showId: string }) {}

  @Semaphore(5)
  async shared() {}

  @Semaphore(5, undefined, { onBusy: 'skip' })
  async sharedSkipping() {}

  @Semaphore(5, 'gateway:<0>', { wait: 0 })
  async charge(tenant: string) {}

  @Semaphore(5, (tenant: string) => tenant)
  async chargeByFunction(tenant: string) {}

  // @ts-expect-error checked for every decorator
  @Semaphore(5, 'gateway:<1>')
  async wrongIndex(tenant: string) {}

  // @ts-expect-error checked for every decorator
  @Semaphore(5, (tenant: number) => String(tenant))
  async wrongFunction(tenant: string) {}

  // @ts-expect-error checked for every decorator
  @Semaphore(5)
  sync() {}

  // @ts-expect-error checked for every decorator
  @Semaphore(5, undefined, { onBusy: 'skip' })
  async skipping() {
    return 1;
  }

  // @ts-expect-error the limit is a number
  @Semaphore('5')
  async textLimit() {}
}

@UseInterceptors(
  LockInterceptor.with('tenant:<0.user.tenantId>', { wait: '2s' }),
  LockInterceptor.with(['tenant:<0.user.tenantId>', 'ledger']),
  LockInterceptor.with((request: { user: { id: string } }) => request.user.id),
  LockInterceptor.with((request) => [String(request.id), 'ledger']),
  LockInterceptor.with(computed),
  // @ts-expect-error names of parameters
  LockInterceptor.with('tenant:<request.user>'),
  // @ts-expect-error not closed
  LockInterceptor.with(['tenant', 'user:<0']),
  // @ts-expect-error the key is there at once
  LockInterceptor.with(async (request) => String(request.id)),
)
export class Intercepted {}

const patient: LockInterceptorOptions = { wait: '1m', abortOnDisconnect: true };

export const interceptors = [
  LockInterceptor.with('k', patient),
  LockInterceptor.with('k', shared),
  // @ts-expect-error a value that does not exist
  LockInterceptor.with('k', { abortOnDisconnect: 'yes' }),
];

// @ts-expect-error for the interceptor only
export const called = (locks: LockService) => locks.withLock('k', { abortOnDisconnect: true }, () => 1);
