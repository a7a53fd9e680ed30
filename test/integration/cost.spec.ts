import { describe, expect, it } from '@jest/globals';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';

const CLIENTS = 4;
const LONG = { ttl: '1m', wait: '1m' };

describe.each([
  { kind: 'lock', limit: undefined },
  { kind: 'semaphore', limit: 1 },
] as const)('cost of a $kind in commands that clients send', ({ kind, limit }) => {
  const redis = useRedis();
  const count = new CommandCount(redis);

  const open = async (module = {}) => {
    const { locks } = await openLocks({ connection: redis.url, ...module });
    return {
      acquire: (key: string) =>
        limit === undefined ? locks.acquire(key, LONG) : locks.acquireSemaphore(key, limit, LONG),
      run: (key: string) =>
        limit === undefined
          ? locks.withLock(key, LONG, () => undefined)
          : locks.withSemaphore(key, limit, LONG, () => undefined),
    };
  };

  const openSeveral = (module = {}) => Promise.all(Array.from({ length: CLIENTS }, () => open(module)));

  it('is exactly two when nobody else is about, and no key stays', async () => {
    const cycles = 500;
    const { run } = await open();
    await run('alone');
    await count.reset();
    for (let i = 0; i < cycles; i++) {
      await run('alone');
      if (i % 50 === 0) expect(await redis.keys()).toEqual([]);
    }
    const commands = await count.all();
    expect(commands['evalsha']).toBe(2 * cycles);
    // Nothing else but what the scripts do and what this test asks.
    const inScripts = /^(time|get|set|del|exists|z\w+|pexpireat)$/;
    const others = Object.keys(commands).filter((name) => !inScripts.test(name));
    expect(others.sort()).toEqual(['config|resetstat', 'evalsha', 'keys']);
  });

  it('is at most 2.05 and one message when all want it', async () => {
    const clients = await openSeveral();
    const callers = 8;
    const each = 60;
    const compete = (times: number) =>
      Promise.all(
        clients.flatMap(({ run }) =>
          Array.from({ length: callers }, async () => {
            for (let i = 0; i < times; i++) await run('wanted');
          }),
        ),
      );
    // Opens the wake channels.
    await compete(2);
    await count.reset();
    await compete(each);
    const cycles = CLIENTS * callers * each;
    const { publish } = await count.all();
    expect((await count.scripts()) / cycles).toBeLessThanOrEqual(2.05);
    expect(publish).toBeLessThanOrEqual(cycles);
    // It was contended: nearly all got it by a message.
    expect(publish).toBeGreaterThan(cycles * 0.9);
    expect(await redis.keys()).toEqual([]);
  });

  it('is one poll per process and poll interval while 200 wait', async () => {
    const poll = 600;
    const intervals = 5;
    const state = new LockState(redis, 'held', kind);
    const holder = await open({ handoffTtl: poll });
    const holding = await holder.acquire('held');
    const clients = await openSeveral({ handoffTtl: poll });
    const waiting = clients.flatMap(({ run }) => Array.from({ length: 200 / CLIENTS }, () => run('held')));
    await state.untilWaiting(200);
    await count.reset();
    const from = await state.serverTime();
    await state.untilServerTime(from + intervals * poll * 1_000);
    const polls = await count.scripts();
    expect(polls).toBeLessThanOrEqual(CLIENTS * intervals);
    // They do look, in case that a message was lost.
    expect(polls).toBeGreaterThanOrEqual(CLIENTS * (intervals - 2));
    await holding.release();
    await Promise.all(waiting);
    expect(await redis.keys()).toEqual([]);
  });
});
