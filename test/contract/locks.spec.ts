import { describe, expect, it } from '@jest/globals';
import {
  LockBusyError,
  LockLostError,
  type Lease,
  type LockService,
  type RedisLockModuleOptions,
} from 'nestjs-redis-lock';
import { eachServer, type ServerUnderContract } from '../helpers/each-server.js';
import { openLocks } from '../helpers/open-locks.js';
import { waitUntil } from '../helpers/wait-until.js';

const KEY = 'k';

eachServer((server) => {
  const open = async (options: RedisLockModuleOptions = {}): Promise<LockService> =>
    (await openLocks({ connection: server.connection, ...options })).locks;
  const openMany = (count: number) => Promise.all(Array.from({ length: count }, () => open()));

  describe('a lock', () => {
    it('keeps out everybody else, and leaves nothing behind', async () => {
      const clients = await openMany(3);
      let inside = 0;
      let most = 0;
      const fences: number[] = [];
      const work = async (lease: Lease) => {
        fences.push(lease.fence);
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 2));
        inside -= 1;
      };
      await Promise.all(
        clients.flatMap((locks) => Array.from({ length: 8 }, () => locks.withLock(KEY, { wait: '30s' }, work))),
      );
      expect(most).toBe(1);
      expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
      expect(await server.client.keys('*')).toEqual([]);
    });

    it('is handed on in the order in which they came', async () => {
      const clients = await openMany(4);
      const lease = await (clients[0] as LockService).acquire(KEY);
      const order: number[] = [];
      const waiting: Promise<void>[] = [];
      for (const [i, locks] of clients.entries()) {
        waiting.push(locks.withLock(KEY, { wait: '30s', fair: true }, () => void order.push(i)));
        await untilWaiting(server, i + 1);
      }
      await lease.release();
      await Promise.all(waiting);
      expect(order).toEqual([0, 1, 2, 3]);
    });

    it('is refused when it is busy for too long, with the time to come again', async () => {
      const [one, other] = (await openMany(2)) as [LockService, LockService];
      await one.acquire(KEY, { ttl: '20s' });
      expect(await other.tryAcquire(KEY)).toBeNull();
      const refusal = other.acquire(KEY, { wait: 100 });
      await expect(refusal).rejects.toThrow(LockBusyError);
      await expect(refusal).rejects.toMatchObject({ key: KEY, retryAfter: expect.any(Number) });
      await untilWaiting(server, 0);
    });

    it('lets go of a place in the queue when its signal aborts', async () => {
      const [one, other] = (await openMany(2)) as [LockService, LockService];
      const lease = await one.acquire(KEY);
      const controller = new AbortController();
      const waiting = other.acquire(KEY, { wait: '30s', signal: controller.signal });
      const ended = expect(waiting).rejects.toThrow('enough');
      await untilWaiting(server, 1);
      controller.abort(new Error('enough'));
      await ended;
      await untilWaiting(server, 0);
      await lease.release();
      expect(await server.client.keys('*')).toEqual([]);
    });

    it('is renewed for as long as its section runs', async () => {
      const locks = await open();
      await locks.withLock(KEY, { ttl: 1_000 }, async (lease) => {
        await new Promise((resolve) => setTimeout(resolve, 2_500));
        expect(lease.held).toBe(true);
        expect(await server.client.get(`lock:${KEY}`)).toBe(lease.token);
      });
    });

    it('is lost when its key is taken away, and its holder is told', async () => {
      const locks = await open();
      const section = locks.withLock(KEY, { ttl: 1_000 }, async (lease) => {
        const lost = new Promise((resolve) => lease.signal.addEventListener('abort', resolve));
        await server.client.set(`lock:${KEY}`, 'stranger', 'PX', 60_000);
        await lost;
        expect(lease.held).toBe(false);
      });
      await expect(section).rejects.toThrow(LockLostError);
      expect(await server.client.get(`lock:${KEY}`)).toBe('stranger');
    });

    it('that nobody renews lapses by itself', async () => {
      const [one, other] = (await openMany(2)) as [LockService, LockService];
      const lease = await one.acquire(KEY, { ttl: 300, renew: false });
      expect((await other.acquire(KEY, { wait: '30s' })).held).toBe(true);
      expect(lease.held).toBe(false);
      expect(await lease.release()).toBe(false);
    });

    it('ends at its maxHold, and is kept until its minHold', async () => {
      const [one, other] = (await openMany(2)) as [LockService, LockService];
      const lease = await one.acquire(KEY, { maxHold: 300 });
      await waitUntil(() => !lease.held, 'the end of maxHold');
      const brief = await one.acquire('brief', { minHold: '20s' });
      await brief.release();
      expect(await other.tryAcquire('brief')).toBeNull();
      expect((await other.inspect('brief')).holders).toMatchObject([{ kept: true, label: 'acquire' }]);
    });

    it('can be taken from its holder, who is told, and goes to the next', async () => {
      const [one, other] = (await openMany(2)) as [LockService, LockService];
      const lease = await one.acquire(KEY);
      const next = other.acquire(KEY, { wait: '30s' });
      await untilWaiting(server, 1);
      const view = await other.inspect(KEY);
      expect(view).toMatchObject({ key: KEY, kind: 'lock', held: true, redisKey: `lock:${KEY}` });
      expect([view.holders.length, view.waiters.length]).toEqual([1, 1]);
      expect(await other.forceRelease(KEY)).toBe(true);
      expect((await next).fence).toBeGreaterThan(lease.fence);
      await waitUntil(() => !lease.held, 'the old holder is told');
      expect(await one.forceRelease('free')).toBe(false);
    });

    it('may be entered again from within, and held with others', async () => {
      const locks = await open();
      const fences = await locks.withLock(['a', 'b'], (outer) =>
        locks.withLock('a', (inner) => [outer.held, inner.held, inner.fence]),
      );
      expect(fences).toEqual([true, true, expect.any(Number)]);
      expect(await server.client.keys('*')).toEqual([]);
    });

    it('passes over a waiter whose connection is gone', async () => {
      const [one, other] = (await openMany(2)) as [LockService, LockService];
      const lease = await one.acquire(KEY);
      const gone = await openLocks({ connection: server.connection });
      const left = gone.locks.acquire(KEY, { wait: '30s' }).catch(() => undefined);
      await untilWaiting(server, 1);
      const ghost = '1:host-1-abcdefgh:0:10000:1:1:ghost';
      await server.client.zadd(`queue:{lock:${KEY}}`, 1, ghost);
      await gone.close();
      await left;
      const next = other.acquire(KEY, { wait: '30s' });
      await untilWaiting(server, 2);
      await lease.release();
      expect((await next).held).toBe(true);
    });

    it('goes on when the server forgets its scripts', async () => {
      const [one, other] = (await openMany(2)) as [LockService, LockService];
      const lease = await one.acquire(KEY);
      const next = other.acquire(KEY, { wait: '30s' });
      await untilWaiting(server, 1);
      await server.client.script('FLUSH');
      expect(await lease.release()).toBe(true);
      expect((await next).held).toBe(true);
    });
  });

  describe('a semaphore', () => {
    it('lets in as many as its limit, in order', async () => {
      const clients = await openMany(3);
      let inside = 0;
      let most = 0;
      const work = async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
      };
      await Promise.all(
        clients.flatMap((locks) => Array.from({ length: 6 }, () => locks.withSemaphore(KEY, 2, { wait: '30s' }, work))),
      );
      expect(most).toBe(2);
      expect(await server.client.keys('*')).toEqual([]);
    });

    it('shows who holds it, and gives back what lapsed', async () => {
      const [one, other] = (await openMany(2)) as [LockService, LockService];
      await one.acquireSemaphore(KEY, 1, { ttl: 300, renew: false });
      expect((await other.inspect(KEY, { kind: 'semaphore' })).holders).toHaveLength(1);
      expect((await other.acquireSemaphore(KEY, 1, { wait: '30s' })).held).toBe(true);
    });
  });
});

async function untilWaiting({ client }: ServerUnderContract, count: number): Promise<void> {
  await waitUntil(async () => (await client.zcard(`queue:{lock:${KEY}}`)) === count, `${count} waiters`);
}
