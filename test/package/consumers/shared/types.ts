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
