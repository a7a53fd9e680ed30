import { describe, expect, it } from '@jest/globals';
import { now, startProcess, startProcesses } from '../helpers/lock-process.js';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { ALL_QUEUE } from '../helpers/ways.js';

/** Far beyond what a test takes: nobody polls and nobody renews meanwhile. All waiters stand in the queue. */
const CALM = { handoffTtl: '1m', ...ALL_QUEUE };
const LONG = { ttl: '2m', wait: '2m' };

describe.each([
  { kind: 'lock', limit: undefined },
  { kind: 'semaphore', limit: 1 },
] as const)('a crash around a $kind', ({ kind, limit }) => {
  const redis = useRedis();
  const count = new CommandCount(redis);

  /** One that survives: a client of this process. */
  async function open(module = {}) {
    const { locks } = await openLocks({ connection: redis.url, ...module });
    return (key: string, options: object) =>
      limit === undefined ? locks.acquire(key, options) : locks.acquireSemaphore(key, limit, options);
  }

  /** Resolves when the server sees no more subscribers than these. */
  const untilListening = (clients: number) =>
    waitUntil(async () => {
      const open = await redis.client.pubsub('CHANNELS', 'lock:wake:*');
      return open.length === clients;
    }, `${clients} wake channels`);

  it('serves the next waiter when the holder was killed (BC-08)', async () => {
    const key = 'holder-killed';
    const lease = 1_000;
    const state = new LockState(redis, key, kind);
    const holder = await startProcess(redis);
    const options = { ttl: lease };
    await holder.call('acquire', { key, limit, options, name: 'holding' });
    const served: number[] = [];
    const waiting = [await open(), await open()].map(async (acquire, i) => {
      if (i > 0) await state.untilWaiting(i);
      const holding = await acquire(key, { wait: '30s' });
      served.push(now());
      await holding.release();
    });
    await state.untilWaiting(2);
    const killedAt = now();
    await holder.kill();
    const rest = await redis.client.pttl(state.owner);
    const lookedAt = now();
    await Promise.all(waiting);

    const [first, second] = served;
    expect(Number(first) - killedAt).toBeLessThan(lease + 1_000);
    // Nobody took it from the dead before its lease was over.
    expect(rest).toBeGreaterThan(0);
    expect(Number(first) - lookedAt).toBeGreaterThan(rest - 10);
    expect(Number(second) - Number(first)).toBeLessThan(500);
  });

  it.each([
    { dead: 1_000, commands: 1 },
    // One run of the script skips 2,000; the releaser goes on at once.
    { dead: 2_500, commands: 2 },
  ])('skips $dead waiters of a killed process within one release', async ({ dead, commands }) => {
    const key = `dead-${dead}`;
    const state = new LockState(redis, key, kind);
    const crowd = await startProcess(redis, CALM);
    const [acquire, acquireNext] = [await open(CALM), await open(CALM)];
    const holding = await acquire(key, LONG);
    const target = { key, limit, options: LONG };
    void crowd.call('sections', { ...target, callers: dead, each: 1, hold: 0 });
    await state.untilWaiting(dead);
    const waiting = acquireNext(key, LONG);
    await state.untilWaiting(dead + 1);
    await crowd.kill();
    await untilListening(1);
    await count.reset();
    const releasedAt = now();
    await holding.release();
    await waiting;

    expect(now() - releasedAt).toBeLessThan(1_000);
    expect(await count.scripts()).toBe(commands);
    expect(await redis.keys()).toEqual([state.owner]);
  });

  it.each([
    { processes: 1, each: 1 },
    { processes: 2, each: 25 },
  ] as const)(
    'does not stall on $processes killed with $each waiters at the head (BC-11)',
    async ({ processes, each }) => {
      const key = `dead-heads-${processes}`;
      const state = new LockState(redis, key, kind);
      const started = await startProcesses(processes as number, redis, CALM);
      const [acquire, acquireNext] = [await open(CALM), await open(CALM)];
      const holding = await acquire(key, LONG);
      for (const [i, process] of started.entries()) {
        const target = { key, limit, options: LONG };
        void process.call('sections', { ...target, callers: each, each: 1, hold: 0 });
        await state.untilWaiting((i + 1) * each);
      }
      const waiting = acquireNext(key, LONG);
      await state.untilWaiting(processes * each + 1);
      await Promise.all(started.map((process) => process.kill()));
      await untilListening(1);
      const releasedAt = now();
      await holding.release();
      await waiting;
      expect(now() - releasedAt).toBeLessThan(500);
      expect(await state.waiters()).toBe(0);
    },
  );

  it('stores no moment that lies ahead, whoever gave up before (BC-11)', async () => {
    const key = 'short-waits';
    const state = new LockState(redis, key, kind);
    const acquire = await open();
    const [acquirePatiently, acquireBriefly] = [await open(), await open(ALL_QUEUE)];
    const holding = await acquire(key, LONG);
    const patient = acquirePatiently(key, LONG);
    await state.untilWaiting(1);
    for (let i = 0; i < 20; i++) {
      const waits = Array.from({ length: 20 }, (_, n) => acquireBriefly(key, { wait: 1 + (n % 5) }));
      const ends = await Promise.allSettled(waits);
      expect(ends.map(({ status }) => status)).not.toContain('fulfilled');
    }
    await state.untilWaiting(1);
    const tickets = await state.tickets();
    const marks = Object.values(await redis.client.hgetall(state.seen));
    const micros = await state.serverTime();
    expect(tickets.filter(({ ticket }) => ticket > micros)).toEqual([]);
    expect(marks.filter((mark) => Number(mark) > micros / 1_000)).toEqual([]);
    await holding.release();
    await (await patient).release();
    expect(await redis.keys()).toEqual([]);
  });
});

describe('permits of a killed process', () => {
  const redis = useRedis();

  it('come back when their leases end, and the waiters are served (BC-44)', async () => {
    const key = 'permits';
    const limit = 3;
    const lease = 1_000;
    const state = new LockState(redis, key, 'semaphore');
    const holder = await startProcess(redis);
    for (const name of ['a', 'b', 'c']) {
      const options = { ttl: lease };
      await holder.call('acquire', { key, limit, options, name });
    }
    const { locks } = await openLocks({ connection: redis.url });
    const served: number[] = [];
    const waiting = Array.from({ length: 6 }, () =>
      locks.withSemaphore(key, limit, { wait: '5s' }, () => {
        served.push(now());
      }),
    );
    await state.untilWaiting(6);
    const killedAt = now();
    await holder.kill();
    await Promise.all(waiting);
    expect(served).toHaveLength(6);
    expect(Math.max(...served) - killedAt).toBeLessThan(lease + 1_000);
    expect(await redis.keys()).toEqual([]);
  });
});
