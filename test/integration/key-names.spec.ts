import { describe, expect, it } from '@jest/globals';
import { lockKey, type LockService, type RedisLockModuleOptions } from 'nestjs-redis-lock';
import { clusterSlot } from '../helpers/cluster-slot.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();

type Kind = 'lock' | 'semaphore';

/** The keys that are in Redis while one client holds the lock and another waits for it. */
async function keysOf(name: string, kind: Kind = 'lock', options: RedisLockModuleOptions = {}): Promise<string[]> {
  const open = async () => (await openLocks({ connection: redis.url, ...options })).locks;
  const [holder, waiter] = [await open(), await open()];
  const take = (locks: LockService) => (kind === 'lock' ? locks.acquire(name) : locks.acquireSemaphore(name, 1));
  const before = await redis.keys();
  const added = async () => (await redis.keys()).filter((key) => !before.includes(key));
  const held = await take(holder);
  const waiting = take(waiter);
  await waitUntil(async () => (await added()).length >= 3, 'a waiter');
  const keys = await added();
  await held.release();
  await (await waiting).release();
  expect(await redis.keys()).toEqual(before);
  return keys;
}

const NAMES = [
  'order:{42}',
  '{a}{b}',
  '{}',
  '{}x',
  '}x',
  '{',
  'a}b{c',
  '{order}',
  '{}{tag}',
  'order:{42}:{',
  '%7b{x',
  'ключ:{é}',
  `${'x'.repeat(300)}{tag}`,
  '{'.repeat(300),
];

const slotsOf = (keys: string[]) => new Set(keys.map(clusterSlot));

describe('Names of keys in Redis', () => {
  it('computes slots as a Cluster does', () => {
    // Examples of the Cluster specification, and the check value of CRC16.
    expect(clusterSlot('123456789')).toBe(0x31c3);
    expect(clusterSlot('{user1000}.a')).toBe(clusterSlot('user1000'));
    expect(clusterSlot('foo{}{bar}')).not.toBe(clusterSlot('bar'));
    expect(clusterSlot('foo{{bar}}zap')).toBe(clusterSlot('{bar'));
    expect(clusterSlot('foo{bar}{zap}')).toBe(clusterSlot('bar'));
  });

  it.each<Kind>(['lock', 'semaphore'])(
    'a %s has an owner, a queue and the signs of life of those who wait',
    async (kind) => {
      const owner = `${kind}:order:1`;
      const keys = [owner, `queue:{${owner}}`, `seen:{${owner}}`];
      expect(await keysOf('order:1', kind)).toEqual(keys.sort());
    },
  );

  it.each(NAMES.map((name) => [name.slice(0, 20), name]))(
    'all keys of one lock share a Cluster slot: %s [BC-28]',
    async (_, name) => {
      for (const kind of ['lock', 'semaphore'] as const) {
        const keys = await keysOf(name, kind);
        expect(keys).toHaveLength(3);
        expect(slotsOf(keys).size).toBe(1);
      }
    },
  );

  it('locks with names from random characters share a slot each, and spread over the slots [BC-28]', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const other = await openLocks({ connection: redis.url });
    const alphabet = '{}{}%7bdab:é';
    const slots = new Set<number>();
    for (let i = 0; i < 150; i++) {
      const name = Array.from(
        { length: 1 + (i % 9) },
        () => alphabet[Math.floor(Math.random() * alphabet.length)],
      ).join('');
      const held = await locks.acquire(name);
      const waiting = other.locks.acquire(name);
      await waitUntil(async () => (await redis.keys()).length === 3, `a waiter for ${name}`);
      const [slot, ...others] = slotsOf(await redis.keys());
      expect({ name, others }).toEqual({ name, others: [] });
      slots.add(slot as number);
      await held.release();
      await (await waiting).release();
    }
    expect(slots.size).toBeGreaterThan(50);
  });

  it('keyPrefix and namespace stand in front of the owner key, inside the tag of the others', async () => {
    const connection = { port: redis.port, keyPrefix: 'app:' };
    expect(await keysOf('order:1', 'lock', { connection })).toEqual([
      'app:lock:order:1',
      'queue:{app:lock:order:1}',
      'seen:{app:lock:order:1}',
    ]);
    const both = { connection, namespace: 'shop' };
    expect(await keysOf('order:1', 'semaphore', both)).toEqual([
      'app:shop:semaphore:order:1',
      'queue:{app:shop:semaphore:order:1}',
      'seen:{app:shop:semaphore:order:1}',
    ]);
  });

  it.each(['{app}:', 'app:{one}two:'])(
    'a hash tag in keyPrefix %s holds for all keys of a lock [BC-28]',
    async (keyPrefix) => {
      const connection = { port: redis.port, keyPrefix };
      const keys = await keysOf('order:{42}', 'lock', { connection });
      const owner = `${keyPrefix}lock:order:{42}`;
      expect(keys).toEqual([owner, `queue:${owner}`, `seen:${owner}`].sort());
      expect(slotsOf(keys).size).toBe(1);
    },
  );

  it('namespaces do not exclude each other, one namespace does', async () => {
    const open = (namespace: string) => openLocks({ connection: redis.url, namespace });
    const [shop, again, bank] = await Promise.all(['shop', 'shop', 'bank'].map(open));
    const held = await shop?.locks.acquire('order:1');
    expect(await again?.locks.tryAcquire('order:1')).toBeNull();
    expect(await bank?.locks.tryAcquire('order:1')).not.toBeNull();
    expect(await held?.release()).toBe(true);
  });
});

describe('Names that look like keys of ours', () => {
  it('a lock and a semaphore of one name know nothing of each other [BC-64]', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const lock = await locks.acquire('order:1');
    const permit = await locks.acquireSemaphore('order:1', 1);
    expect(await redis.client.type('lock:order:1')).toBe('string');
    expect(await redis.client.type('semaphore:order:1')).toBe('zset');
    expect([lock.held, permit.held]).toEqual([true, true]);
    expect(await lock.release()).toBe(true);
    expect(await permit.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it.each([
    ['string', () => redis.client.set('order:1', 'data')],
    ['hash', () => redis.client.hset('order:1', 'a', 1)],
    ['list', () => redis.client.rpush('order:1', 'a')],
  ])('a %s of the application with the name of the lock is in nobody’s way [BC-64]', async (type, write) => {
    await write();
    const { locks } = await openLocks({ connection: redis.url });
    const lock = await locks.acquire('order:1');
    const permit = await locks.acquireSemaphore('order:1', 1);
    await lock.release();
    await permit.release();
    expect(await redis.keys()).toEqual(['order:1']);
    expect(await redis.client.type('order:1')).toBe(type);
  });

  it('a value of another type under the very key of the lock is named at once, not waited for [BC-64] [BC-38]', async () => {
    await redis.client.hset('lock:order:1', 'a', 1);
    const { locks } = await openLocks({ connection: redis.url });
    const error: unknown = await locks.acquire('order:1', { wait: Infinity }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'LOCK_UNAVAILABLE',
      key: 'order:1',
      message: expect.stringMatching(/"order:1".*WRONGTYPE/),
      cause: expect.objectContaining({
        message: expect.stringContaining('WRONGTYPE'),
      }),
    });
    expect(await redis.client.hgetall('lock:order:1')).toEqual({ a: '1' });
  });

  it('ids with the form of internal keys are locks of their own [BC-27]', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const other = await openLocks({ connection: redis.url });
    const holders = await locks.acquire('1');
    const waiting = other.locks.acquire('1');
    await waitUntil(async () => (await redis.keys()).length === 3, 'a waiter');
    const before = await redis.keys();
    const ids = [
      '1:queue',
      ':queue',
      'queue',
      '{1}',
      '{lock:1}',
      'lock:1',
      'queue:{lock:1}',
      'seen:{lock:1}',
      'queue:lock:1',
      '1\n',
      '1 ',
      '*',
      '1\0',
      '🔒',
      'é',
      'e\u0301',
    ];
    const names = [...ids, ...ids.map((id) => lockKey`order:${id}`)];
    const leases = [];
    for (const name of names) leases.push(await locks.acquire(name));
    const keys = await redis.keys();
    expect(keys).toHaveLength(before.length + names.length);
    expect(keys).toEqual(expect.arrayContaining(before));
    for (const lease of leases) expect(await lease.release()).toBe(true);
    expect(await redis.keys()).toEqual(before);
    await holders.release();
    expect((await waiting).held).toBe(true);
  });

  it('lists of arguments never meet in one key where a value holds the separator [BC-27]', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const one = await locks.tryAcquire(lockKey`t:${'a:b'}:${'c'}`);
    const two = await locks.tryAcquire(lockKey`t:${'a'}:${'b:c'}`);
    expect([one?.held, two?.held]).toEqual([true, true]);
    expect(await redis.keys()).toEqual(['lock:t:a%3Ab:c', 'lock:t:a:b%3Ac']);
  });
});
