import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';

const A_DAY = 86_400;

/** Answers by the key of the request, for all processes. */
@Injectable()
export class Answers implements OnApplicationShutdown {
  constructor(private readonly redis: Redis) {}

  async find<T>(key: string): Promise<T | undefined> {
    const text = await this.redis.get(`answer:${key}`);
    return text === null ? undefined : (JSON.parse(text) as T);
  }

  async keep(key: string, answer: object): Promise<void> {
    await this.redis.set(`answer:${key}`, JSON.stringify(answer), 'EX', A_DAY);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
