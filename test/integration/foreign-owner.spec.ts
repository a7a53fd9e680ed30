import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const state = new LockState(redis, 'k');
const commands = new CommandCount(redis);
let locks: LockService;

beforeEach(async () => {
  locks = (await openLocks({ connection: redis.url })).locks;
});

/** As any other program takes a lock. */
const takeForeign = (token: string, ms: number) => redis.client.set('lock:k', token, 'PX', ms, 'NX');

describe('another program that locks the same key with SET NX PX [BC-52]', () => {
  it('excludes us until its key runs out', async () => {
    expect(await takeForeign('foreign', 700)).toBe('OK');
    expect(await locks.tryAcquire('k')).toBeNull();
    const { took, value } = await timed(() => locks.acquire('k'));
    expect(took).toBeGreaterThan(500);
    expect(took).toBeLessThan(1200);
    expect(await redis.client.get('lock:k')).toBe(value?.token);
  });

  it('lets us in soon after it deleted its key, with no word to us', async () => {
    await takeForeign('foreign', 60_000);
    const waiting = locks.acquire('k');
    await state.untilWaiting(1);
    await redis.client.del('lock:k');
    expect((await timed(() => waiting)).took).toBeLessThan(1300);
  });

  it('is excluded by us, while we hold and while we wait in a queue', async () => {
    const other = (await openLocks({ connection: redis.url })).locks;
    const held = await locks.acquire('k');
    expect(await takeForeign('foreign', 1000)).toBeNull();
    const waiting = other.acquire('k');
    await state.untilWaiting(1);
    await held.release();
    expect(await takeForeign('foreign', 1000)).toBeNull();
    await (await waiting).release();
    expect(await takeForeign('foreign', 1000)).toBe('OK');
  });

  it('is not asked more and more often', async () => {
    await takeForeign('foreign', 60_000);
    const waiting = locks.acquire('k', { wait: 3000 }).catch(() => 'busy');
    await state.untilWaiting(1);
    await commands.reset();
    expect(await waiting).toBe('busy');
    // At 100 ms, then at 1.5 times the last distance.
    expect(await commands.scripts()).toBeLessThan(12);
  });

  it('is named in the error when its key never expires', async () => {
    await redis.client.set('lock:k', 'foreign');
    const error = {
      code: 'LOCK_BUSY',
      retryAfter: 1,
      message: expect.stringMatching(/another program.*never expires/),
    };
    const once = locks.acquire('k', { wait: 0 });
    await expect(once).rejects.toMatchObject(error);
    const waiting = locks.acquire('k', { wait: 300 });
    await expect(waiting).rejects.toMatchObject(error);
    const { holders } = await locks.inspect('k');
    expect(holders).toMatchObject([{ token: 'foreign', remaining: null }]);
    expect(await redis.client.get('lock:k')).toBe('foreign');
  });
});

describe('a key of ours', () => {
  it('always has an end [BC-52]', async () => {
    const other = (await openLocks({ connection: redis.url })).locks;
    const options = { minHold: 60_000 };
    const held = await locks.acquire('k');
    const permit = await locks.acquireSemaphore('k', 1);
    await (await locks.acquire('closed', options)).release();
    await (await locks.acquireSemaphore('closed', 1, options)).release();
    const waiting = [other.acquire('k'), other.acquireSemaphore('k', 1)];
    const all = async () => (await redis.keys()).length === 8;
    await waitUntil(all, 'owner, queue and seen of both, and what is closed');
    for (const key of await redis.keys()) {
      const left = await redis.client.pttl(key);
      expect({ key, ends: left > 0 }).toEqual({ key, ends: true });
    }
    await held.release();
    await permit.release();
    await Promise.all(waiting);
  });
});
