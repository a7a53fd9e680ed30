import { beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Lease, LockService } from 'nestjs-redis-lock';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
let a: LockService;
let b: LockService;
let c: LockService;

beforeEach(async () => {
  a = (await openLocks({ connection: redis.url })).locks;
  b = (await openLocks({ connection: redis.url })).locks;
  c = (await openLocks({ connection: redis.url })).locks;
});

describe.each(['lock', 'semaphore'] as const)('a %s', (kind) => {
  const state = new LockState(redis, 'k', kind);
  const take = (locks: LockService, ttl = 10_000): Promise<Lease> =>
    kind === 'lock' ? locks.acquire('k', { ttl }) : locks.acquireSemaphore('k', 1, { ttl });
  const label = kind === 'lock' ? 'acquire' : 'acquireSemaphore';

  it('shows who holds it and who waits, in order', async () => {
    expect(await a.inspect('k', { kind })).toEqual({
      key: 'k',
      kind,
      redisKey: `${kind}:k`,
      held: false,
      holders: [],
      waiters: [],
    });
    const held = await take(a);
    const waiting = [take(b)];
    await state.untilWaiting(1);
    waiting.push(take(c));
    await state.untilWaiting(2);
    const tickets = await state.tickets();
    const seen = await b.inspect('k', { kind });
    expect(seen).toMatchObject({
      held: true,
      holders: [{ token: held.token, label, pid: process.pid, kept: false }],
      waiters: tickets.map(({ token }) => ({ token, label })),
    });
    expect(seen.holders[0]?.remaining).toBeGreaterThan(5000);
    expect(seen.holders[0]?.remaining).toBeLessThanOrEqual(10_000);
    const [first, second] = seen.waiters.map(({ waited }) => waited);
    expect(first).toBeGreaterThanOrEqual(second as number);
    await held.release();
    for (const next of waiting) await (await next).release();
  });

  it('can be released by force: the next one enters, and the holder learns it by its renewal', async () => {
    const held = await take(a, 900);
    const waiting = take(b);
    await state.untilWaiting(1);
    const told = timed(() => once(held.signal, 'abort'));
    expect(await b.forceRelease('k', { kind })).toBe(true);
    expect((await timed(() => waiting)).took).toBeLessThan(500);
    const next = await waiting;
    expect(next.fence).toBeGreaterThan(held.fence);
    expect((await told).took).toBeLessThan(600);
    expect(held.held).toBe(false);
    expect(await held.release()).toBe(false);
    expect(next.held).toBe(true);
    expect(await next.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('says so when there was nothing to release', async () => {
    expect(await a.forceRelease('k', { kind })).toBe(false);
  });
});

describe('a release by force', () => {
  it('is told at once to a holder that has a channel', async () => {
    const first = await b.acquire('k');
    const waiting = a.acquire('k', { ttl: 60_000 });
    await new LockState(redis, 'k').untilWaiting(1);
    await first.release();
    const held = await waiting;
    const told = timed(() => once(held.signal, 'abort'));
    await b.forceRelease('k');
    expect((await told).took).toBeLessThan(500);
    expect(held.signal.reason).toMatchObject({ code: 'LOCK_LOST' });
  });

  it('ends all permits', async () => {
    const permits = await Promise.all([a.acquireSemaphore('k', 2), b.acquireSemaphore('k', 2, { ttl: 300 })]);
    expect(await a.forceRelease('k', { kind: 'semaphore' })).toBe(true);
    expect(await redis.keys()).toEqual([]);
    await waitUntil(() => !(permits[1]?.held ?? true), 'told by its renewal');
  });

  it('frees a key of another program', async () => {
    await redis.client.set('lock:k', 'foreign');
    expect(await a.forceRelease('k')).toBe(true);
    expect((await a.acquire('k', { wait: 0 })).held).toBe(true);
  });
});

describe('the clock of the server [BC-47]', () => {
  it('may be read in scripts that write, and dates fences and permits', async () => {
    const state = new LockState(redis, 'k');
    const before = await state.serverTime();
    const lease = await a.acquire('k');
    const permit = await a.acquireSemaphore('k', 1, { ttl: 5000 });
    const after = await state.serverTime();
    for (const { fence } of [lease, permit]) {
      expect(fence).toBeGreaterThanOrEqual(before);
      expect(fence).toBeLessThanOrEqual(after);
    }
    const expiry = await redis.client.zscore('semaphore:k', permit.token);
    expect(Number(expiry)).toBeGreaterThanOrEqual(before / 1000 + 4999);
    expect(Number(expiry)).toBeLessThanOrEqual(after / 1000 + 5000);
  });
});
