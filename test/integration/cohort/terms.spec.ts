import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandCount, LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { untilRenewed } from '../../helpers/until-renewed.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const open = async (module = {}) => (await openLocks({ connection: redis.url, ...module })).locks;
const pttl = () => redis.client.pttl('lock:k');

describe('Options of callers of one process', () => {
  it.each<[string, object, object]>([
    ['a longer ttl', { ttl: 1_000 }, { ttl: 60_000 }],
    ['a shorter ttl', { ttl: 60_000 }, { ttl: 1_000 }],
    ['a maxHold', {}, { maxHold: 2_000 }],
    ['no renewal', {}, { renew: false }],
    ['a minHold', {}, { minHold: 1 }],
    ['a head start', {}, { headStart: 1 }],
    ['exact order', {}, { fair: true }],
  ])('%s is no matter of the turn of somebody else', async (_, its, other) => {
    const locks = await open();
    const first = await locks.acquire('k', its);
    const next = locks.acquire('k', other);
    await first.release();
    const second = await next;
    expect(second.token).not.toBe(first.token);
    expect(second.fence).toBeGreaterThan(first.fence);
    await second.release();
  });

  it('a lease without renewal is as long as it was asked for', async () => {
    const locks = await open();
    const first = await locks.acquire('k');
    const next = locks.acquire('k', { renew: false, ttl: 20_000 });
    await first.release();
    const second = await next;
    expect(second.remaining).toBeGreaterThan(19_000);
    expect(await pttl()).toBeGreaterThan(19_000);
    await second.release();
  });

  it('a lease that was passed on is renewed for whoever has it', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    const ttl = 600;
    const first = await locks.acquire('k', { ttl });
    const next = locks.acquire('k', { ttl });
    await first.release();
    const second = await next;
    expect(second.token).toBe(first.token);
    await untilRenewed(second);
    await untilRenewed(second);
    expect(second.held).toBe(true);
    expect(await pttl()).toBeLessThanOrEqual(ttl);
    await second.release();
  });

  it('maxHold counts from the grant of each caller', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    const maxHold = 1_500;
    const first = await locks.acquire('k', { maxHold });
    const next = locks.acquire('k', { maxHold });
    // Its renewal is a second one for the end of the first caller.
    await sleep(200);
    await first.release();
    const second = await next;
    expect(second.token).toBe(first.token);
    expect(second.held).toBe(true);
    await waitUntil(() => second.signal.aborted, 'the end of maxHold');
    expect(String(second.signal.reason)).toContain('maxHold is over');
    await second.release();
  });

  it('a lease that was extended is not handed to a caller who did not ask for so long', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    const first = await locks.acquire('k', { ttl: 2_000 });
    await first.extend('1h');
    const next = locks.acquire('k', { ttl: 2_000 });
    await first.release();
    const second = await next;
    expect(second.token).not.toBe(first.token);
    expect(await pttl()).toBeLessThanOrEqual(2_000);
    await second.release();
  });

  it('nor is one whose extension is under way', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    const first = await locks.acquire('k', { ttl: 2_000 });
    const next = locks.acquire('k', { ttl: 2_000 });
    const [, released] = await Promise.all([first.extend('1h'), first.release()]);
    expect(released).toBe(true);
    const second = await next;
    expect(second.token).not.toBe(first.token);
    expect(await pttl()).toBeLessThanOrEqual(2_000);
    await second.release();
  });

  it('a caller that may not wait tries in Redis, and finds it busy', async () => {
    const count = new CommandCount(redis);
    const locks = await open();
    const first = await locks.acquire('k');
    await count.reset();
    await expect(locks.acquire('k', { wait: 0 })).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    expect(await locks.tryAcquire('k')).toBeNull();
    expect(await count.scripts()).toBe(2);
    await first.release();
    expect(await redis.keys()).toEqual([]);
  });

  it('the entry of a caller who gave up serves the next one only if that one asked for the same', async () => {
    const [one, other] = [await open(), await open()];
    const held = await other.acquire('k');
    const patience = new AbortController();
    const leaving = one.acquire('k', { ttl: 60_000, signal: patience.signal });
    const staying = one.acquire('k', { ttl: 1_000 });
    await new LockState(redis, 'k').untilWaiting(1);
    patience.abort();
    await expect(leaving).rejects.toBe(patience.signal.reason);
    await held.release();
    const lease = await staying;
    expect(await pttl()).toBeLessThanOrEqual(1_000);
    await lease.release();
    expect(await redis.keys()).toEqual([]);
  });
});
