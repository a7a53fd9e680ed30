import { describe, expect, it } from '@jest/globals';
import { startProcess } from '../../helpers/lock-process.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';

const redis = useRedis();
const state = new LockState(redis, 'gateway', 'semaphore');
const KEY = state.owner;
const LIMIT = 2;
const MINUTES = 60_000;
const holders = () => redis.client.zrange(KEY, 0, '-1');

describe('Semaphore in one script, with the time of the client as argument', () => {
  const ENTER = `
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
    if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
    redis.call('ZADD', KEYS[1], ARGV[2] + ARGV[3], ARGV[1])
    return 1`;
  const LEASE = 10_000;
  const enter = async (who: string, clock: number) =>
    (await redis.client.eval(ENTER, 1, KEY, who, clock, LEASE, LIMIT)) === 1;

  it('the classic: a client whose clock is fast throws live holders out', async () => {
    const now = 1_000_000;
    expect(await enter('A', now)).toBe(true);
    expect(await enter('B', now)).toBe(true);
    expect(await enter('C', now)).toBe(false); // It is full,
    expect(await enter('fast', now + 5 * MINUTES)).toBe(true); // but not for this one.
    expect(await holders()).toEqual(['fast']);
    expect(await enter('D', now + 5 * MINUTES)).toBe(true); // A and B work on: four at once.
  });

  it('here: a client whose clock is fast finds it full, and waits for its turn [BC-46]', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const fast = await startProcess(redis, {}, 5 * MINUTES);
    const a = await locks.acquireSemaphore('gateway', LIMIT);
    const b = await locks.acquireSemaphore('gateway', LIMIT);
    const ask = (wait: number) =>
      fast.call('acquire', {
        key: 'gateway',
        limit: LIMIT,
        name: 'c',
        options: { wait },
      });
    await expect(ask(0)).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    const c = ask(10_000);
    await state.untilWaiting(1);
    expect((await holders()).sort()).toEqual([a.token, b.token].sort());
    expect([a.held, b.held]).toEqual([true, true]);

    await a.release();
    const { token } = await c;
    expect((await holders()).sort()).toEqual([b.token, token].sort());
  });

  it('here: a client whose clock is slow keeps its permit [BC-46]', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const slow = await startProcess(redis, {}, -5 * MINUTES);
    const permit = { key: 'gateway', limit: 1, name: 'a' };
    const { token } = await slow.call('acquire', permit);
    await expect(locks.acquireSemaphore('gateway', 1, { wait: 500 })).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    expect(await holders()).toEqual([token]);
    expect((await slow.call('look', { name: 'a' })).held).toBe(true);
  });
});
