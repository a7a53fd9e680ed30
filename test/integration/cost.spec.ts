import { describe, expect, it } from '@jest/globals';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { ALL_QUEUE } from '../helpers/ways.js';

const CLIENTS = 4;
const LONG = { ttl: '1m', wait: '1m' };

const CALLERS = 8;
const EACH = 60;
const CYCLES = CLIENTS * CALLERS * EACH;

/** All callers of all clients take their turns, each so many times. */
const compete = (clients: readonly { run(key: string): Promise<void> }[], times: number) =>
  Promise.all(
    clients.flatMap(({ run }) =>
      Array.from({ length: CALLERS }, async () => {
        for (let i = 0; i < times; i++) await run('wanted');
      }),
    ),
  );

describe.each([
  { what: 'fair lock', kind: 'lock', limit: undefined },
  { what: 'semaphore', kind: 'semaphore', limit: 1 },
] as const)('cost of a $what in commands that clients send', ({ kind, limit }) => {
  const redis = useRedis();
  const count = new CommandCount(redis);

  const open = async (module = {}) => {
    const { locks } = await openLocks({ connection: redis.url, ...ALL_QUEUE, ...module });
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

  it('is one for each call of a caller who comes again at once and leaves the release to the background', async () => {
    const cycles = 200;
    const { run } = await open({ defaults: { ...ALL_QUEUE.defaults, releaseMode: 'background' } });
    await run('alone');
    await waitUntil(async () => (await redis.keys()).length === 0, 'the release');
    await count.reset();
    for (let i = 0; i < cycles; i++) await run('alone');
    await waitUntil(async () => (await redis.keys()).length === 0, 'the last release');
    // The last release has nothing behind it.
    expect(await count.scripts()).toBe(cycles + 1);
  });

  it('is at most 2.05 and one message when all want it', async () => {
    const clients = await openSeveral();
    // Opens the wake channels.
    await compete(clients, 2);
    await count.reset();
    await compete(clients, EACH);
    const { publish } = await count.all();
    expect((await count.scripts()) / CYCLES).toBeLessThanOrEqual(2.05);
    expect(publish).toBeLessThanOrEqual(CYCLES);
    // It was contended: nearly all got it by a message.
    expect(publish).toBeGreaterThan(CYCLES * 0.9);
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

  it('is nothing but polls while callers wait: these see to it, too, that the channel is alive', async () => {
    const state = new LockState(redis, 'held', kind);
    const [holder, waiter] = await Promise.all([open(), open()]);
    const first = await holder.acquire('held');
    const opening = waiter.run('held');
    await state.untilWaiting(1);
    await first.release();
    await opening;
    // The channel is there by now, and then quiet for so long that nobody knows whether it is alive.
    await state.untilServerTime((await state.serverTime()) + 5_000_000);
    const second = await holder.acquire('held');
    await count.reset();
    const waiting = waiter.run('held');
    await state.untilServerTime((await state.serverTime()) + 12_000_000);
    const { ping = 0, publish = 0 } = await count.all();
    expect(ping).toBe(0);
    expect(publish).toBeGreaterThanOrEqual(3);
    expect(publish).toBeLessThanOrEqual(6);
    await second.release();
    await waiting;
  });
});

describe('cost of a lock in commands that clients send', () => {
  const redis = useRedis();
  const count = new CommandCount(redis);

  it('is at most 0.15 when all callers of a few processes want it, since they pass it on among themselves', async () => {
    // A slow machine must not end a turn before it has used up its passes.
    const module = { connection: redis.url, cohort: { time: '1m' } };
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const { locks } = await openLocks(module);
        return { run: (key: string) => locks.withLock(key, LONG, () => undefined) };
      }),
    );
    await compete(clients, 2);
    await count.reset();
    await compete(clients, EACH);
    expect((await count.scripts()) / CYCLES).toBeLessThanOrEqual(0.15);
    expect(await redis.keys()).toEqual([]);
  });

  it('is one entry in the queue for each process, however many of its callers wait', async () => {
    const state = new LockState(redis, 'held');
    const holder = await openLocks({ connection: redis.url });
    const holding = await holder.locks.acquire('held', LONG);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => openLocks({ connection: redis.url })));
    const waiting = clients.flatMap(({ locks }) =>
      Array.from({ length: CALLERS }, () => locks.withLock('held', LONG, () => undefined)),
    );
    await state.untilWaiting(CLIENTS);
    // None of the others comes later.
    await Promise.all(clients.map(({ locks }) => locks.inspect('held')));
    expect(await state.waiters()).toBe(CLIENTS);
    await holding.release();
    await Promise.all(waiting);
    expect(await redis.keys()).toEqual([]);
  });
});
