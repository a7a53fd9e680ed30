import { describe, expect, it } from '@jest/globals';
import { byEntry, fallingFences, mostAtOnce, overlaps } from '../helpers/intervals.js';
import { useProcesses } from '../helpers/lock-process.js';
import { useRedis } from '../helpers/use-redis.js';
import { WAYS } from '../helpers/ways.js';

/** The grant, and what a process may pass on behind it. */
const MOST_IN_A_TURN = 1 + 128;

describe('four processes', () => {
  const redis = useRedis();
  const processes = useProcesses(4, redis);
  const options = { wait: '1m' };

  it.each(WAYS)(
    'never have two sections of one key at once, and fences rise: 8 callers each, 10,000 sections, $way',
    async ({ fair }) => {
      const work = { key: 'lock', options: { ...options, fair }, callers: 8, each: 313, hold: 0 };
      const runs = processes.map((process) => process.call('sections', work));
      const sections = (await Promise.all(runs)).flat();

      expect(sections).toHaveLength(4 * 8 * 313);
      expect(overlaps(sections)).toEqual([]);
      expect(fallingFences(sections)).toEqual([]);
      // They did contend: the lock went from process to process.
      const ordered = byEntry(sections);
      const changes = ordered.filter(({ pid }, i) => pid !== ordered[i - 1]?.pid);
      expect(changes.length).toBeGreaterThan(fair ? sections.length / 4 : sections.length / (2 * MOST_IN_A_TURN));
      expect(await redis.keys()).toEqual([]);
    },
  );

  it.each([1, 5])('never have more than %i inside a semaphore of that limit: 16 callers each', async (limit) => {
    const key = `semaphore-${limit}`;
    const work = { key, limit, options, callers: 16, each: 20, hold: 1 };
    const runs = processes.map((process) => process.call('sections', work));
    const sections = (await Promise.all(runs)).flat();

    expect(sections).toHaveLength(4 * 16 * 20);
    // Not fewer either.
    expect(mostAtOnce(sections)).toBe(limit);
    const fences = new Set(sections.map(({ fence }) => fence));
    expect(fences.size).toBe(sections.length);
    expect(await redis.keys()).toEqual([]);
  });
});
