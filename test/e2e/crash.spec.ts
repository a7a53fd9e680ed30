import { describe, expect, it } from '@jest/globals';
import { startProcesses, now } from '../helpers/lock-process.js';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const KINDS = [
  { kind: 'lock', limit: undefined },
  { kind: 'semaphore', limit: 1 },
] as const;

/** Far beyond what a test takes: nobody polls and nobody renews meanwhile. */
const CALM = { handoffTtl: '1m' };
const LONG = { ttl: '2m', wait: '2m' };

describe.each(KINDS)('a crash around a $kind', ({ kind, limit }) => {
  const redis = useRedis();
  const count = new CommandCount(redis);

  async function holdHere(key: string) {
    const { locks } = await openLocks({ connection: redis.url, ...CALM });
    return limit === undefined
      ? locks.acquire(key, LONG)
      : locks.acquireSemaphore(key, limit, LONG);
  }

  /** Resolves when the server sees no more subscribers than these. */
  const untilChannels = (left: number) =>
    waitUntil(async () => {
      const open = await redis.client.pubsub('CHANNELS', 'lock:wake:*');
      return (open as string[]).length === left;
    }, `${left} wake channels`);

  it('serves the next waiter when the holder was killed (BC-08)', async () => {
    const target = { key: 'holder-killed', limit };
    const state = new LockState(redis, target.key, kind);
    const [holder, ...others] = await startProcesses(3, redis);
    const lease = 1_000;
    const options = { ttl: lease };
    await holder.call('acquire', { ...target, options, name: 'holding' });
    const waiting = [];
    for (const process of others) {
      waiting.push(process.section({ ...target, options: { wait: '30s' } }));
      await state.untilWaiting(waiting.length);
    }
    const killedAt = now();
    await holder.kill();
    const rest = await redis.client.pttl(state.owner);
    const seenAt = now();
    const [first, second] = await Promise.all(waiting);

    expect(first?.entered).toBeLessThan(killedAt + lease + 1_000);
    // Nobody took it from the dead before its lease was over.
    expect(rest).toBeGreaterThan(0);
    expect(first?.entered).toBeGreaterThan(seenAt + rest - 10);
    expect(second?.entered).toBeLessThan(Number(first?.left) + 500);
  });

  it.each([
    { dead: 1_000, commands: 1 },
    { dead: 2_500, commands: 2 },
  ])(
    'skips $dead waiters of a killed process within one release',
    async ({ dead, commands }) => {
      const target = { key: `dead-${dead}`, limit, options: LONG };
      const state = new LockState(redis, target.key, kind);
      const [crowd, next] = await startProcesses(2, redis, CALM);
      const holding = await holdHere(target.key);
      const many = { ...target, callers: dead, each: 1, hold: 0 };
      void crowd.call('sections', many);
      await state.untilWaiting(dead);
      const waiting = next.call('acquire', { ...target, name: 'next' });
      await state.untilWaiting(dead + 1);
      await crowd.kill();
      await untilChannels(1);
      await count.reset();
      const releasedAt = now();
      await holding.release();
      const { at } = await waiting;

      expect(await count.scripts()).toBe(commands);
      expect(at - releasedAt).toBeLessThan(1_000);
      expect(await redis.keys()).toEqual([state.owner]);
    },
  );

  it.each([
    { processes: 1, each: 1 },
    { processes: 2, each: 1 },
    { processes: 5, each: 10 },
  ] as const)(
    'does not stall on $processes dead processes with $each waiters at the head (BC-11)',
    async ({ processes, each }) => {
      const target = { key: `dead-heads-${processes}`, limit, options: LONG };
      const state = new LockState(redis, target.key, kind);
      const started = await startProcesses(processes as number, redis, CALM);
      const [next] = await startProcesses(1, redis, CALM);
      const holding = await holdHere(target.key);
      let queued = 0;
      for (const process of started) {
        const work = { ...target, callers: each, each: 1, hold: 0 };
        void process.call('sections', work);
        await state.untilWaiting((queued += each));
      }
      const waiting = next.call('acquire', { ...target, name: 'next' });
      await state.untilWaiting(queued + 1);
      await Promise.all(started.map((process) => process.kill()));
      await untilChannels(1);
      const releasedAt = now();
      await holding.release();
      expect((await waiting).at - releasedAt).toBeLessThan(500);
      expect(await state.waiters()).toBe(0);
    },
  );

  it('stores no moment that lies ahead, whoever gave up before (BC-11)', async () => {
    const key = 'short-waits';
    const state = new LockState(redis, key, kind);
    const module = { handoffTtl: 500 };
    const [patient] = await startProcesses(1, redis, module);
    const { locks } = await openLocks({ connection: redis.url, ...module });
    const holding = await holdHere(key);
    void patient.section({ key, limit, options: LONG });
    await state.untilWaiting(1);
    const giveUp = (wait: number) =>
      limit === undefined
        ? locks.acquire(key, { wait })
        : locks.acquireSemaphore(key, limit, { wait });
    for (let i = 0; i < 20; i++) {
      const waits = Array.from({ length: 20 }, (_, n) => giveUp(1 + (n % 5)));
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
  });
});

describe('permits of a killed process', () => {
  const redis = useRedis();

  it('come back when their leases end, and the waiters are served (BC-44)', async () => {
    const target = { key: 'permits', limit: 3 };
    const state = new LockState(redis, target.key, 'semaphore');
    const [holder, other] = await startProcesses(2, redis);
    const lease = 1_000;
    for (const name of ['a', 'b', 'c']) {
      const options = { ttl: lease };
      await holder.call('acquire', { ...target, options, name });
    }
    const options = { wait: '5s' };
    const work = { ...target, options, callers: 6, each: 1, hold: 0 };
    const waiting = other.call('sections', work);
    await state.untilWaiting(6);
    const killedAt = now();
    await holder.kill();
    const sections = await waiting;
    const last = Math.max(...sections.map(({ entered }) => entered));
    expect(sections).toHaveLength(6);
    expect(last).toBeLessThan(killedAt + lease + 1_000);
    expect(await redis.keys()).toEqual([]);
  });
});
