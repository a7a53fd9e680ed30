import { afterEach, describe, expect, it } from '@jest/globals';
import type { RedisOptions } from 'ioredis';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { timed } from '../helpers/timed.js';
import { untilRenewed } from '../helpers/until-renewed.js';
import { useRedis } from '../helpers/use-redis.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);

const open = async (connection = redis.url) => (await openLocks({ connection })).locks;

/** At once, although there would be time to wait, and with what the server said. */
async function expectServerError(work: () => Promise<unknown>, said: RegExp): Promise<void> {
  const { took, error } = await timed(work);
  expect(error).toMatchObject({
    code: 'LOCK_UNAVAILABLE',
    key: 'k',
    message: expect.stringMatching(said),
    cause: { name: 'ReplyError', message: expect.stringMatching(said) },
  });
  expect(took).toBeLessThan(500);
}

describe('a key of another type where a lock should be [BC-64]', () => {
  const setters: [string, (key: string) => Promise<unknown>][] = [
    ['hash', (key) => redis.client.hset(key, 'a', 1)],
    ['list', (key) => redis.client.rpush(key, 1)],
    ['set', (key) => redis.client.sadd(key, 1)],
  ];

  it.each(setters)('is named, and not taken for busy: %s', async (_, set) => {
    const locks = await open();
    await set('lock:k');
    await set('semaphore:k');
    const take = () => locks.acquire('k');
    await expectServerError(take, /"k".*WRONGTYPE|^(ERR Error running script .*)?WRONGTYPE/);
    const permit = () => locks.acquireSemaphore('k', 1);
    await expectServerError(permit, /"k".*WRONGTYPE|^(ERR Error running script .*)?WRONGTYPE/);
    await expectServerError(() => locks.inspect('k'), /WRONGTYPE/);
    expect(await redis.keys()).toEqual(['lock:k', 'semaphore:k']);
  });

  it('is not what a data key of that name is', async () => {
    const locks = await open();
    await redis.client.set('k', 'data');
    await using _lock = await locks.acquire('k', { wait: 0 });
    await using _permit = await locks.acquireSemaphore('k', 1, { wait: 0 });
    expect(await redis.client.get('k')).toBe('data');
  });
});

describe('a server without memory [BC-63]', () => {
  const fill = () => redis.client.config('SET', 'maxmemory', 1);
  afterEach(() => redis.client.config('SET', 'maxmemory', 0));

  it('refuses a new lock at once, and is not taken for busy', async () => {
    const locks = await open();
    await locks.withLock('k', () => undefined);
    await fill();
    await expectServerError(() => locks.acquire('k'), /OOM/);
    await expectServerError(() => locks.acquireSemaphore('k', 1), /OOM/);
  });

  it('renews, hands on, takes no newcomer into the queue, and releases', async () => {
    const [holder, waiter, late] = [await open(), await open(), await open()];
    const held = await holder.acquire('k', { ttl: 600 });
    const waiting = waiter.acquire('k');
    await new LockState(redis, 'k').untilWaiting(1);
    await fill();
    await untilRenewed(held);
    await expectServerError(() => late.acquire('k'), /OOM/);
    expect(await held.release()).toBe(true);
    const handed = await waiting;
    expect(handed.held).toBe(true);
    expect(await handed.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('does the same for permits', async () => {
    const [holder, waiter, late] = [await open(), await open(), await open()];
    const other = await holder.acquireSemaphore('k', 2, { ttl: 60_000 });
    const held = await holder.acquireSemaphore('k', 2, { ttl: 600 });
    const waiting = waiter.acquireSemaphore('k', 2);
    await new LockState(redis, 'k', 'semaphore').untilWaiting(1);
    await fill();
    await untilRenewed(held);
    const permit = () => late.acquireSemaphore('k', 2);
    await expectServerError(permit, /OOM/);
    expect(await held.release()).toBe(true);
    const handed = await waiting;
    expect(await other.release()).toBe(true);
    await expectServerError(permit, /OOM/);
    expect(await handed.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('lets a waiter find its grant by polling', async () => {
    const [holder, waiter] = [
      (await openLocks({ connection: redis.url })).locks,
      (await openLocks({ connection: proxy.url, pollInterval: 500 })).locks,
    ];
    const locks = [await holder.acquire('k'), await holder.acquireSemaphore('k', 1)];
    const waiting = [waiter.acquire('k'), waiter.acquireSemaphore('k', 1)];
    await new LockState(redis, 'k').untilWaiting(1);
    await new LockState(redis, 'k', 'semaphore').untilWaiting(1);
    await fill();
    proxy.blackhole('subscriber');
    for (const lease of locks) expect(await lease.release()).toBe(true);
    for (const lease of await Promise.all(waiting)) {
      expect(await lease.release()).toBe(true);
    }
  });

  it('keeps a lock closed for minHold', async () => {
    const locks = await open();
    const options = { minHold: 5000, ttl: 60_000 };
    const lease = await locks.acquire('k', options);
    const permit = await locks.acquireSemaphore('k', 1, options);
    await fill();
    expect(await lease.release()).toBe(true);
    expect(await permit.release()).toBe(true);
    expect(await redis.client.get('lock:k')).toBe('kept:acquire');
    expect(await redis.client.pttl('lock:k')).toBeLessThanOrEqual(5000);
    expect(await redis.client.pttl('semaphore:k')).toBeLessThanOrEqual(5000);
  });

  it('lets a waiter leave its queue', async () => {
    const [holder, waiter] = [await open(), await open()];
    await holder.acquire('k');
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = waiter.acquire('k', { signal }).catch(() => 'left');
    const state = new LockState(redis, 'k');
    await state.untilWaiting(1);
    await fill();
    controller.abort();
    expect(await waiting).toBe('left');
    await state.untilWaiting(0);
  });
});

describe('a user without the rights [BC-38]', () => {
  const login = async (...rules: string[]) => {
    await redis.client.acl('SETUSER', 'app', 'reset', 'on', '>secret', ...rules);
    return redis.url.replace('//', '//app:secret@');
  };

  it('to the keys is told so at once', async () => {
    const url = await login('+@all', '~other:*', '&*');
    const locks = await open(url);
    await expectServerError(() => locks.acquire('k'), /NOPERM/);
    await expectServerError(() => locks.acquireSemaphore('k', 1), /NOPERM/);
  });

  it('to run scripts is told so at once', async () => {
    const url = await login('+@all', '-@scripting', '~*', '&*');
    const locks = await open(url);
    await expectServerError(() => locks.acquire('k'), /NOPERM/);
  });

  it('to what scripts do is told so at once', async () => {
    const url = await login('+@all', '-set', '~*', '&*');
    const locks = await open(url);
    await expectServerError(() => locks.acquire('k'), /run (this|the 'set') command/);
  });
});

describe('a database that cannot be had', () => {
  const userOf = async (...rules: string[]) => {
    await redis.client.acl('SETUSER', 'app', 'reset', 'on', '>secret', '+@all', '~*', '&*', ...rules);
    return { username: 'app', password: 'secret' };
  };

  it.each<[string, () => Promise<RedisOptions>, RegExp]>([
    ['the server has fewer', () => Promise.resolve({ db: 99 }), /DB index is out of range/],
    ['the user may not select', async () => ({ db: 3, ...(await userOf('-select')) }), /NOPERM/],
  ])('is not taken for database 0, where locks of others are: %s', async (_, options, said) => {
    const connection = { port: redis.port, ...(await options()) };
    const { locks } = await openLocks({ connection });
    await expect(locks.acquire('k', { wait: 300 })).rejects.toMatchObject({
      code: 'LOCK_UNAVAILABLE',
      cause: { message: expect.stringMatching(said) },
    });
    expect(await redis.keys()).toEqual([]);
  });

  it('is the one whose locks are taken, on every new connection', async () => {
    const { locks } = await openLocks({ connection: { port: redis.port, db: 3 } });
    for (let i = 0; i < 2; i++) {
      await locks.withLock('k', async () => expect(await redis.keys()).toEqual([]));
      await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    }
    await redis.client.select(3);
    await using _lease = await locks.acquire('k');
    expect(await redis.keys()).toEqual(['lock:k']);
    await redis.client.select(0);
  });
});
