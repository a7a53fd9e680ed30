import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

/** Short work whose runs are counted in Redis. */
@Injectable()
export class Reports implements OnApplicationShutdown {
  constructor(private readonly redis: Redis) {}

  async send(report: string): Promise<void> {
    await sleep(20);
    await this.redis.incr(`sent:${report}`);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
