import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Redis } from 'ioredis';
import { startRedis, startRedisProcess } from '../../tools/redis/index.mjs';

type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** One Redis of its own for a spec file, empty before each test, and a plain client to look into it. */
export class RedisUnderTest {
  server!: RedisServer;
  client!: Redis;

  get url(): string {
    return this.server.url;
  }

  get port(): number {
    return this.server.port;
  }

  /** All keys, sorted. */
  async keys(): Promise<string[]> {
    return (await this.client.keys('*')).sort();
  }

  /** How often clients have called a command since the statistics were reset; calls from scripts count, too. */
  async calls(command: string): Promise<number> {
    const stats = await this.client.info('commandstats');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  }
}

/** @param args more arguments for redis-server */
export function useRedis(args: string[] = []): RedisUnderTest {
  return useServer(() => startRedis({ args }));
}

/** For tests that stop, freeze or restart the server: a process of this machine, never a container. */
export function useRedisProcess(args: string[] = []): RedisUnderTest & { readonly pid: number } {
  const redis = useServer(() => startRedisProcess({ args }));
  return Object.defineProperty(redis, 'pid', { get: () => redis.server.pid }) as RedisUnderTest & {
    readonly pid: number;
  };
}

function useServer(start: () => Promise<RedisServer>): RedisUnderTest {
  const redis = new RedisUnderTest();
  beforeAll(async () => {
    redis.server = await start();
    redis.client = new Redis(redis.url);
  }, 60_000);
  beforeEach(() => redis.client.flushall());
  afterAll(async () => {
    redis.client.disconnect();
    await redis.server.stop();
  });
  return redis;
}
