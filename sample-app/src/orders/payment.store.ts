import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';

/**
 * How much of each order has been paid. It can be read and written, but not both in one step: two processes that do so at
 * the same time lose one of the two payments. That is what the lock is for.
 */
@Injectable()
export class PaymentStore {
  constructor(private readonly redis: Redis) {}

  async read(orderId: string): Promise<number> {
    return Number(await this.redis.get(`sample:order:${orderId}:paid`));
  }

  async write(orderId: string, paid: number): Promise<void> {
    await this.redis.set(`sample:order:${orderId}:paid`, paid);
  }
}
