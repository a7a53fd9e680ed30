// An application as people write it, for compilers other than tsc.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { currentLease, FairLock, LockService, RedisLockModule, Semaphore, WithLock } from 'nestjs-redis-lock';
import assert from 'node:assert/strict';
import { lastValueFrom, Observable, of } from 'rxjs';

@Injectable()
class Orders {
  readonly tenant = 'acme';

  constructor(private readonly locks: LockService) {}

  @WithLock('order:<0>')
  async pay(id: string): Promise<string> {
    return `${id} under ${currentLease()?.key}`;
  }

  @FairLock('order:<0>')
  promised(id: string): Promise<string> {
    return Promise.resolve(`${id} under ${currentLease()?.key}`);
  }

  @Semaphore(3, 'gateway:<this.tenant>')
  watch(id: string): Observable<string> {
    return of(`${id} under ${currentLease()?.key}`);
  }

  settle(id: string): Promise<string> {
    return this.locks.withLock(`order:${id}`, () => this.pay(id));
  }
}

@Module({
  imports: [RedisLockModule.forRoot({ connection: process.env.REDIS_URL })],
  providers: [Orders],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
  const orders = app.get(Orders);
  assert.equal(await orders.pay('1'), '1 under order:1');
  assert.equal(await orders.promised('2'), '2 under order:2');
  assert.equal(await lastValueFrom(orders.watch('3')), '3 under gateway:acme');
  assert.equal(await orders.settle('4'), '4 under order:4');
  await app.close();
  console.log('done');
}

void main();
