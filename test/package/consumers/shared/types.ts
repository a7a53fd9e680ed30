import { Controller, Injectable, Module, UseInterceptors } from '@nestjs/common';
import {
  FairLock,
  getLockServiceToken,
  InjectLockService,
  type Lease,
  LockBusyError,
  LockInterceptor,
  lockKey,
  type LockOptions,
  LockService,
  RedisLockModule,
  type RedisLockModuleOptions,
  Semaphore,
  WithLock,
} from 'nestjs-redis-lock';
import { bindLockService } from 'nestjs-redis-lock/testing';
import type { Cluster, Redis } from 'ioredis';
import type { Redis as OtherMajor } from 'other-ioredis';
import type { Redis as SecondCopy } from 'second-ioredis';

const options: RedisLockModuleOptions = { connection: 'redis://localhost' };
const wait: LockOptions = { wait: '2s', ttl: 5_000 };

@Injectable()
export class OrderService {
  constructor(private readonly locks: LockService) {}

  @WithLock('order:<0>', wait)
  async pay(orderId: string): Promise<string> {
    return orderId;
  }

  @FairLock('seat:<0.showId>')
  async reserve(seat: { showId: string }): Promise<string> {
    return seat.showId;
  }

  @Semaphore(5, 'gateway:<0>')
  async charge(tenant: string): Promise<string> {
    return tenant;
  }

  // @ts-expect-error a locked method answers later
  @WithLock('order:<0>')
  now(orderId: string): string {
    return orderId;
  }

  async settle(id: string): Promise<number> {
    const task = async (lease: Lease): Promise<number> => lease.fence;
    return this.locks.withLock(lockKey`order:${id}`, wait, task);
  }
}

@Controller()
@UseInterceptors(LockInterceptor.with('tenant:<0.user.tenantId>'))
export class TenantController {
  constructor(@InjectLockService('second') readonly second: LockService) {}
}

@Module({
  imports: [RedisLockModule.forRoot(options), RedisLockModule.forRootAsync({ useFactory: () => options })],
  providers: [OrderService],
})
export class AppModule {}

export const token = getLockServiceToken('second');
export const isBusy = (error: unknown): boolean => error instanceof LockBusyError && error.code === 'LOCK_BUSY';
export const bind = (orders: OrderService, locks: LockService): unknown => bindLockService(orders, locks);

// A client of any copy of ioredis is one.
declare const clients: { own: Redis; other: OtherMajor; second: SecondCopy; cluster: Cluster };
export const given: RedisLockModuleOptions[] = [
  { connection: clients.own },
  { connection: clients.other },
  { connection: clients.second },
  { connection: clients.cluster },
];

// Results keep their types, which `any` would not.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare const locks: LockService;
const paid = locks.withLock('k', async () => ({ paid: 5 }));
const plain = locks.withSemaphore('k', 3, { wait: 0 }, () => 'plain');
const tried = locks.tryAcquire('k');
export const typed: [
  Same<typeof paid, Promise<{ paid: number }>>,
  Same<typeof plain, Promise<string>>,
  Same<typeof tried, Promise<Lease | null>>,
  Same<ReturnType<OrderService['pay']>, Promise<string>>,
] = [true, true, true, true];
