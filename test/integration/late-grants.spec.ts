import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const state = new LockState(redis, 'k');

const HANDED = 1500;
/** Nobody finds a grant by polling here. */
const times = { handoffTtl: HANDED, pollInterval: 60_000 };
const long = { ttl: 60_000, wait: 10_000 };

describe('a grant whose message comes late', () => {
  const open = async () => {
    const [holder, waiter] = await Promise.all([
      openLocks({ connection: redis.url, ...times }),
      openLocks({ connection: proxy.url, ...times }),
    ]);
    return { holder: holder.locks, waiter: waiter.locks };
  };

  it('is never believed once its lease is over', async () => {
    const { holder, waiter } = await open();
    const held = await holder.acquire('k', long);
    let entered = false;
    const late = waiter.withLock('k', long, (lease) => {
      entered = true;
      return { token: lease.token, fence: lease.fence };
    });
    await state.untilWaiting(1);
    const messages = proxy.hold('replies', { of: 'subscriber' });
    await held.release();
    await waitUntil(() => messages.pieces > 0, 'the grant is under way');
    const other = await holder.acquire('k', long);
    messages.letGo();
    // It asks, hears that the lock is somebody else's, and has its place back.
    await state.untilWaiting(1);
    expect(entered).toBe(false);
    expect(await redis.client.get('lock:k')).toBe(other.token);
    expect(await other.release()).toBe(true);
    expect((await late).fence).toBeGreaterThan(other.fence);
  });

  it('is taken when nobody came in between, with a fresh lease', async () => {
    const { holder, waiter } = await open();
    const held = await holder.acquire('k', long);
    const late = waiter.acquire('k', long);
    await state.untilWaiting(1);
    const messages = proxy.hold('replies', { of: 'subscriber' });
    await held.release();
    const lapsed = async () => (await redis.client.exists('lock:k')) === 0;
    await waitUntil(lapsed, 'the lease has run out');
    messages.letGo();
    const lease = await late;
    expect(lease.remaining).toBeGreaterThan(50_000);
    expect(await lease.release()).toBe(true);
  });

  it('is certain only for the rest of its lease, and renewed in time', async () => {
    const { holder, waiter } = await open();
    const held = await holder.acquire('k', long);
    const late = waiter.acquire('k', long);
    await state.untilWaiting(1);
    const messages = proxy.hold('replies', { of: 'subscriber' });
    await held.release();
    const rest = async () => redis.client.pttl('lock:k');
    await waitUntil(async () => (await rest()) < HANDED * 0.25, 'mostly over');
    messages.letGo();
    const lease = await late;
    expect(lease.held).toBe(true);
    expect(lease.remaining).toBeLessThan(HANDED * 0.25);
    await waitUntil(() => lease.remaining > 50_000, 'renewed', HANDED);
    expect(await lease.release()).toBe(true);
  });
});

describe('an answer that comes late [BC-53]', () => {
  const open = async (delay: number) => {
    const { locks } = await openLocks({ connection: proxy.url });
    await locks.inspect('k');
    proxy.delay('replies', delay);
    return locks;
  };

  it('gives the body what is left of the lease', async () => {
    const locks = await open(200);
    const options = { ttl: 400, onLost: 'ignore' as const };
    const remaining = await locks.withLock('k', options, (lease) => {
      expect(lease.held).toBe(true);
      return lease.remaining;
    });
    expect(remaining).toBeLessThan(200);
  });

  it('gives the body nothing when the lease is over by then', async () => {
    const locks = await open(350);
    let entered = false;
    const section = locks.withLock('k', { ttl: 300 }, () => (entered = true));
    await expect(section).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    expect(entered).toBe(false);
    await waitUntil(async () => (await redis.keys()).length === 0, 'empty');
  });

  it('gives the body no dead lease where the answer comes at the last moment', async () => {
    const locks = await open(275);
    const dead: boolean[] = [];
    const outcomes = [];
    for (let i = 0; i < 5; i++) {
      const section = locks.withLock(`k${i}`, { ttl: 300 }, (lease) => void dead.push(!lease.held));
      outcomes.push(await section.catch((error: { code: string }) => error.code));
    }
    expect(dead).not.toContain(true);
    const allowed = [undefined, 'LOCK_LOST', 'LOCK_UNAVAILABLE'];
    expect(outcomes.filter((code) => !allowed.includes(code))).toEqual([]);
  });

  it('does not end a lease that can be renewed in time', async () => {
    const locks = await open(750);
    const lost = await locks.withLock('k', { ttl: 1000 }, async (lease) => {
      proxy.delay('replies', 0);
      await sleep(1500);
      return lease.signal.aborted;
    });
    expect(lost).toBe(false);
  });

  it('does not count the time that was waited', async () => {
    const [{ locks: holder }, { locks: waiter }] = await Promise.all([
      openLocks({ connection: redis.url }),
      openLocks({ connection: proxy.url }),
    ]);
    const held = await holder.acquire('k');
    const section = waiter.withLock('k', { ttl: 300 }, async (lease) => {
      await sleep(700);
      return lease.signal.aborted;
    });
    await state.untilWaiting(1);
    await sleep(900);
    await held.release();
    expect(await section).toBe(false);
  });
});
