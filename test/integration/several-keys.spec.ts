import { describe, expect, it } from '@jest/globals';
import { lockKey, WithLock, type LockService } from 'nestjs-redis-lock';
import { bindLockService } from 'nestjs-redis-lock/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const open = async (module = {}): Promise<LockService> => (await openLocks({ connection: redis.url, ...module })).locks;

/** Money that moves in two steps, so that only locks keep the sum right. */
class Books {
  readonly balance = new Map([
    ['a', 0],
    ['b', 0],
  ]);
  overlaps = 0;
  private readonly open = new Set<string>();

  async move(from: string, to: string, amount: number): Promise<void> {
    const accounts = [...new Set([from, to])];
    this.overlaps += accounts.filter((account) => this.open.has(account)).length;
    for (const account of accounts) this.open.add(account);
    const [before, after] = [this.balance.get(from) ?? 0, this.balance.get(to) ?? 0];
    await sleep(1);
    this.balance.set(from, before - amount);
    this.balance.set(to, (from === to ? before - amount : after) + amount);
    for (const account of accounts) this.open.delete(account);
  }
}

class Teller {
  constructor(private readonly books: Books) {}

  @WithLock(['account:<0>', 'account:<1>'], { wait: Infinity })
  async transfer(from: string, to: string, amount: number): Promise<void> {
    await this.books.move(from, to, amount);
  }

  @WithLock((from: string, to: string) => [lockKey`account:${from}`, lockKey`account:${to}`], { wait: Infinity })
  async transferByFunction(from: string, to: string, amount: number): Promise<void> {
    await this.books.move(from, to, amount);
  }
}

describe('several keys in one call [BC-50]', () => {
  it('are held together by many callers in every order, without a deadlock', async () => {
    const books = new Books();
    const tellers = [
      bindLockService(new Teller(books), await open()),
      bindLockService(new Teller(books), await open()),
    ] as const;
    const calls = Array.from({ length: 100 }, (_, i) => {
      const [from, to] = i % 2 ? (['a', 'b'] as const) : (['b', 'a'] as const);
      const teller = tellers[i % 4 < 2 ? 0 : 1];
      return i % 3 ? teller.transfer(from, to, i) : teller.transferByFunction(to, from, i);
    });
    await Promise.all([...calls, tellers[0].transfer('a', 'a', 1000)]);
    expect(books.overlaps).toBe(0);
    expect([...books.balance.values()].reduce((sum, amount) => sum + amount)).toBe(0);
    expect(await redis.keys()).toEqual([]);
  });

  it('exclude calls on one of them, and each other where they share one', async () => {
    const [mine, theirs] = [await open(), await open()];
    await mine.withLock(['a', 'b'], async () => {
      expect(await redis.keys()).toEqual(['lock:a', 'lock:b']);
      expect(await theirs.tryAcquire('a')).toBeNull();
      expect(await theirs.tryAcquire(['b', 'c'])).toBeNull();
      expect(await theirs.tryAcquire('c')).toMatchObject({ held: true });
    });
  });

  it.each([
    ['its wait is over', () => ({ wait: 200 }), 'LOCK_BUSY'],
    ['it does not wait', () => ({ wait: 0 }), 'LOCK_BUSY'],
    ['it is aborted', () => ({ signal: AbortSignal.timeout(200) }), undefined],
    ['its job would have been kept closed', () => ({ wait: 0, minHold: '1m' }), 'LOCK_BUSY'],
  ])('are all free again when one is busy and %s', async (_, options, code) => {
    const [mine, theirs] = [await open(), await open()];
    const held = await theirs.acquire('b');
    const error = await mine.withLock(['c', 'b', 'a'], options(), () => 'entered').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(code === undefined ? { name: 'TimeoutError' } : { code, key: 'b' });
    await waitUntil(async () => (await redis.keys()).join() === 'lock:b', 'only what the other one holds');
    expect(await held.release()).toBe(true);
  });

  it('stay held while the call waits for the next of them for longer than a lease', async () => {
    const [mine, theirs] = [await open(), await open()];
    const b = await theirs.acquire('b');
    const both = mine.withLock(['a', 'b'], { ttl: 300, wait: '1m' }, (lease) => lease.held);
    await new LockState(redis, 'b').untilWaiting(1);
    const { token } = (await theirs.inspect('a')).holders[0] ?? {};
    await sleep(700);
    expect((await theirs.inspect('a')).holders[0]?.token).toBe(token);
    await b.release();
    expect(await both).toBe(true);
  });

  it('are taken once more when the first has been lost before the last is granted', async () => {
    const [mine, theirs] = [await open(), await open()];
    const b = await theirs.acquire('b');
    const both = mine.withLock(['a', 'b'], { ttl: 300, renew: false, wait: '1m' }, (lease) => lease.held);
    await new LockState(redis, 'b').untilWaiting(1);
    await waitUntil(async () => (await redis.client.exists('lock:a')) === 0, 'the lease of a to run out');
    await b.release();
    expect(await both).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('are all given back when one is lost, and the work is told', async () => {
    const locks = await open();
    const work = locks.withLock(['a', 'b'], { ttl: 300 }, async (lease) => {
      await redis.client.del('lock:b');
      await waitUntil(() => lease.signal.aborted, 'the loss');
      return lease.held;
    });
    await expect(work).rejects.toMatchObject({ code: 'LOCK_LOST', key: 'b', result: false });
    expect(await redis.keys()).toEqual([]);
  });

  it('stay closed together until the end of a minHold', async () => {
    const locks = await open();
    await locks.withLock(['a', 'b'], { minHold: '1m' }, () => undefined);
    expect(await redis.keys()).toEqual(['lock:a', 'lock:b']);
    expect(await locks.tryAcquire('a')).toBeNull();
    expect(await locks.tryAcquire('b')).toBeNull();
  });

  it('have leases whose highest fence is above all fences that were used before', async () => {
    const locks = await open();
    const used = await locks.withLock('b', (lease) => lease.fence);
    const lease = await locks.acquire(['a', 'b']);
    expect(lease.keys).toEqual(['a', 'b']);
    expect(lease.fence).toBeGreaterThan(used);
    expect(lease.token).toBe(await redis.client.get('lock:a'));
    expect(await lease.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });
});

describe('locks taken one inside the other, in opposite orders [BC-50]', () => {
  it('do not wait for each other for ever, though both were told to', async () => {
    const [mine, theirs] = [await open(), await open()];
    let inside = 0;
    const crossed = (locks: LockService, outer: string, inner: string): Promise<string> =>
      locks.withLock(outer, async () => {
        inside += 1;
        await waitUntil(() => inside === 2, 'both to hold one');
        return locks.withLock(inner, { wait: Infinity }, () => 'in');
      });
    const ends = await Promise.allSettled([crossed(mine, 'a', 'b'), crossed(theirs, 'b', 'a')]);
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []));
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'LOCK_BUSY', message: expect.stringContaining('another lock is held') });
    }
    expect(await redis.keys()).toEqual([]);
  });
});
