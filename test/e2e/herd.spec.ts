import { describe, expect, it } from '@jest/globals';
import { fallingFences, overlaps } from '../helpers/intervals.js';
import { useProcesses } from '../helpers/lock-process.js';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { ALL_QUEUE } from '../helpers/ways.js';

const PROCESSES = 5;
const WAITERS = 500;
const POLL = 600;
const INTERVALS = 4;
const LONG = { ttl: '1m', wait: '1m' };

describe(`${WAITERS} waiters in ${PROCESSES} processes (BC-82)`, () => {
  const redis = useRedis();
  const count = new CommandCount(redis);
  const module = { handoffTtl: POLL, ...ALL_QUEUE };
  const processes = useProcesses(PROCESSES, redis, { module });

  it.each([
    { what: 'fair lock', kind: 'lock', limit: undefined },
    { what: 'semaphore', kind: 'semaphore', limit: 1 },
  ] as const)(
    'poll once per process and interval, and cost one command per hand-over: $what',
    async ({ kind, limit }) => {
      const target = { key: `herd-${kind}`, limit, options: LONG };
      const state = new LockState(redis, target.key, kind);
      const { locks } = await openLocks({ connection: redis.url, ...module });
      const holding =
        limit === undefined
          ? await locks.acquire(target.key, LONG)
          : await locks.acquireSemaphore(target.key, limit, LONG);
      const work = {
        ...target,
        callers: WAITERS / PROCESSES,
        each: 1,
        hold: 0,
      };
      const runs = processes.map((process) => process.call('sections', work));
      await state.untilWaiting(WAITERS, 20_000);
      // One subscription per process, however many wait in it.
      const channels = await redis.client.pubsub('CHANNELS', 'lock:wake:*');
      expect(channels).toHaveLength(PROCESSES);

      await count.reset();
      const from = await state.serverTime();
      await state.untilServerTime(from + INTERVALS * POLL * 1_000);
      const polls = await count.scripts();
      expect(polls).toBeLessThanOrEqual(PROCESSES * (INTERVALS + 1));
      expect(polls).toBeGreaterThanOrEqual(PROCESSES * (INTERVALS - 2));

      await count.reset();
      const begun = await state.serverTime();
      await holding.release();
      const sections = (await Promise.all(runs)).flat();
      const took = ((await state.serverTime()) - begun) / 1_000;
      const { publish } = await count.all();
      const releases = WAITERS + 1;
      const pollsMeanwhile = PROCESSES * (took / POLL + 1);
      expect(sections).toHaveLength(WAITERS);
      expect(await count.scripts()).toBeLessThanOrEqual(releases + pollsMeanwhile);
      // A grant for each; a poll may ask for a greeting.
      expect(publish).toBeLessThanOrEqual(WAITERS + pollsMeanwhile);
      expect(overlaps(sections)).toEqual([]);
      expect(fallingFences(sections)).toEqual([]);
      expect(await redis.keys()).toEqual([]);
    },
  );
});
