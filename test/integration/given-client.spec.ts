import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Redis, type RedisOptions } from 'ioredis';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';

const redis = useRedis();
const clients: Redis[] = [];

const give = (options: RedisOptions): Redis => {
  const client = new Redis(redis.url, options);
  clients.push(client);
  return client;
};

afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

const listenersOf = (client: Redis) => client.eventNames().map((name) => [name, client.listenerCount(name)]);

const awkward: [string, RedisOptions][] = [
  ['auto-pipelining', { enableAutoPipelining: true }],
  ['a command timeout of its own', { commandTimeout: 1 }],
  ['a lazy connection', { lazyConnect: true }],
  ['no offline queue', { enableOfflineQueue: false }],
  ['numbers as text', { stringNumbers: true }],
  ['a retry strategy that gives up', { retryStrategy: () => null }],
  ['no retries', { maxRetriesPerRequest: 0, autoResubscribe: false }],
  ['lazy and without a queue', { lazyConnect: true, enableOfflineQueue: false }],
];

describe('a client that is handed in [BC-31, BC-57]', () => {
  it.each(awkward)('with %s works as any other', async (_, options) => {
    const connection = give(options);
    const [{ locks: a }, { locks: b }] = [await openLocks({ connection }), await openLocks({ connection })];
    const held = await a.acquire('k', { ttl: 600 });
    const waiting = b.acquire('k');
    await new LockState(redis, 'k').untilWaiting(1);
    await redis.client.script('FLUSH');
    await held.extend(1000);
    expect(await held.release()).toBe(true);
    expect(await (await waiting).release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('is copied, never connected, changed, subscribed, listened to or closed', async () => {
    const connection = give({ lazyConnect: true, commandTimeout: 1234 });
    const options = { ...connection.options };
    const listeners = listenersOf(connection);
    const client = await openLocks({ connection });
    const other = await openLocks({ connection: redis.url });
    await other.locks.acquire('k');
    await client.locks.acquire('k', { wait: 100 }).catch(() => undefined);
    expect(connection.status).toBe('wait');
    await client.close();
    expect(connection.status).toBe('wait');
    expect(connection.options).toEqual(options);
    expect(listenersOf(connection)).toEqual(listeners);
    expect(await connection.ping()).toBe('PONG');
  });

  it('stays open for the application when ours close', async () => {
    const connection = give({});
    await connection.ping();
    const listeners = listenersOf(connection);
    const client = await openLocks({ connection });
    await client.locks.withLock('k', () => undefined);
    await client.close();
    expect(connection.status).toBe('ready');
    expect(connection.mode).toBe('normal');
    expect(listenersOf(connection)).toEqual(listeners);
    expect(await connection.ping()).toBe('PONG');
    const connections = String(await redis.client.client('LIST')).trim();
    expect(connections.split('\n')).toHaveLength(2);
  });

  it('gives its key prefix to our keys, once', async () => {
    const connection = give({ keyPrefix: 'app:' });
    const { locks } = await openLocks({ connection, namespace: 'jobs' });
    const lease = await locks.acquire('k');
    expect(await redis.keys()).toEqual(['app:jobs:lock:k']);
    expect(await lease.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('serves a lock that is wanted while the module starts', async () => {
    const holder = await openLocks({ connection: redis.url });
    const held = await holder.locks.acquire('k');

    @Injectable()
    class Early implements OnModuleInit {
      result = '';
      constructor(private readonly locks: LockService) {}
      async onModuleInit(): Promise<void> {
        this.result = await this.locks.withLock('k', () => 'in');
      }
    }
    const connection = give({ lazyConnect: true, enableOfflineQueue: false });
    const module = await Test.createTestingModule({
      imports: [RedisLockModule.forRoot({ connection, logger: false })],
      providers: [Early],
    }).compile();
    const starting = module.init();
    await new LockState(redis, 'k').untilWaiting(1);
    await held.release();
    await starting;
    expect(module.get(Early).result).toBe('in');
    await module.close();
  });
});
