import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const state = new LockState(redis, 'k');
const commands = new CommandCount(redis);

const open = async (options = {}) => (await openLocks({ connection: redis.url, ...options })).locks;

describe('extend', () => {
  it('lengthens a lease and never shortens one', async () => {
    const locks = await open();
    const lease = await locks.acquire('k', { ttl: 2000, renew: false });
    await lease.extend(500);
    expect(lease.remaining).toBeGreaterThan(1000);
    expect(await redis.client.pttl('lock:k')).toBeGreaterThan(1000);
    await lease.extend('30s');
    expect(lease.remaining).toBeGreaterThan(25_000);
    expect(await redis.client.pttl('lock:k')).toBeGreaterThan(25_000);
  });

  it('is not undone by a renewal', async () => {
    const locks = await open();
    const lease = await locks.acquire('k', { ttl: 300 });
    await lease.extend('30s');
    await commands.reset();
    await waitUntil(async () => (await commands.scripts()) > 1, 'renewed');
    expect(await redis.client.pttl('lock:k')).toBeGreaterThan(25_000);
    expect(lease.remaining).toBeGreaterThan(25_000);
  });

  it('of a permit does the same', async () => {
    const locks = await open();
    const lease = await locks.acquireSemaphore('k', 2, { ttl: 2000 });
    await lease.extend(500);
    expect(await redis.client.pttl('semaphore:k')).toBeGreaterThan(1000);
    await lease.extend('30s');
    expect(await redis.client.pttl('semaphore:k')).toBeGreaterThan(25_000);
  });
});

describe('maxHold', () => {
  it('ends the renewal, aborts the signal and lets the next one in', async () => {
    const [locks, other] = [await open(), await open()];
    const start = performance.now();
    const lease = await locks.acquire('k', { ttl: 300, maxHold: 900 });
    const next = other.acquire('k');
    await waitUntil(() => lease.signal.aborted, 'aborted');
    const ended = performance.now() - start;
    expect(ended).toBeGreaterThan(850);
    expect(ended).toBeLessThan(1100);
    expect(lease.signal.reason).toMatchObject({
      code: 'LOCK_LOST',
      message: expect.stringContaining('maxHold'),
    });
    const { token } = await next;
    expect(performance.now() - start).toBeLessThan(1500);
    expect(await lease.release()).toBe(false);
    expect(await redis.client.get('lock:k')).toBe(token);
  });

  it('bounds the first lease and every extension', async () => {
    const locks = await open();
    const lease = await locks.acquire('k', { ttl: 60_000, maxHold: 800 });
    expect(await redis.client.pttl('lock:k')).toBeLessThanOrEqual(800);
    await lease.extend('1h');
    expect(await redis.client.pttl('lock:k')).toBeLessThanOrEqual(800);
    await waitUntil(() => !lease.held, 'over', 1000);
  });

  it('bounds a lease that was handed over', async () => {
    const [locks, other] = [await open(), await open()];
    const held = await locks.acquire('k');
    const handed = other.acquire('k', { maxHold: 700 });
    await state.untilWaiting(1);
    await held.release();
    const lease = await handed;
    expect(await redis.client.pttl('lock:k')).toBeLessThanOrEqual(700);
    await waitUntil(() => lease.signal.aborted, 'aborted', 1000);
  });
});

describe('minHold', () => {
  it('keeps the lock closed after a release that answers true; the next poll after that finds it free', async () => {
    const [locks, other] = [await open(), await open({ pollInterval: 300 })];
    const lease = await locks.acquire('k', { minHold: 800 });
    const start = performance.now();
    const next = other.acquire('k');
    await state.untilWaiting(1);
    expect(await lease.release()).toBe(true);
    expect(await redis.client.get('lock:k')).toBe('kept:acquire');
    expect(await other.tryAcquire('k')).toBeNull();
    await next;
    expect(performance.now() - start).toBeGreaterThan(750);
    expect(performance.now() - start).toBeLessThan(1300);
  });

  it('holds when it is longer than ttl, also for a lease that was handed over', async () => {
    const [locks, other] = [await open(), await open({ handoffTtl: 500 })];
    const options = { ttl: 200, minHold: 1500 };
    const lease = await locks.acquire('k', options);
    const handed = other.acquire('k', options);
    await state.untilWaiting(1);
    expect(await redis.client.pttl('lock:k')).toBeGreaterThan(1000);
    await lease.release();
    const start = performance.now();
    const next = await handed;
    expect(performance.now() - start).toBeGreaterThan(1000);
    const reaches = async () => (await redis.client.pttl('lock:k')) > 1000;
    await waitUntil(reaches, 'reaches to its end', 300);
    expect(await next.release()).toBe(true);
    expect(await redis.client.pttl('lock:k')).toBeGreaterThan(1000);
  });

  it('is made sure of at once when a hand-off gave less', async () => {
    const [locks, other] = [await open(), await open()];
    const held = await locks.acquire('k');
    const handed = other.acquire('k', { minHold: 8000 });
    await state.untilWaiting(1);
    await held.release();
    await handed;
    const reaches = async () => (await redis.client.pttl('lock:k')) > 7000;
    await waitUntil(reaches, 'reaches to its end', 500);
  });

  it('keeps a permit taken', async () => {
    const [locks, other] = [await open(), await open()];
    const lease = await locks.acquireSemaphore('k', 1, { minHold: 700 });
    const next = timed(() => other.acquireSemaphore('k', 1));
    expect(await lease.release()).toBe(true);
    const { took } = await next;
    expect(took).toBeGreaterThan(500);
    expect(took).toBeLessThan(1200);
  });

  it('keeps the lock closed through the end of the application', async () => {
    const client = await openLocks({ connection: redis.url });
    await client.locks.acquire('k', { minHold: 5000 });
    await client.close();
    expect(await redis.client.get('lock:k')).toBe('kept:acquire');
    expect(await redis.client.pttl('lock:k')).toBeGreaterThan(4000);
  });

  it('changes nothing once it is over', async () => {
    const locks = await open();
    const lease = await locks.acquire('k', { minHold: 100 });
    await sleep(120);
    expect(await lease.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });
});
