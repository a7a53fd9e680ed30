import { describe, expect, it } from '@jest/globals';
import { fallingFences, mostAtOnce, byFence } from '../helpers/intervals.js';
import { startProcesses } from '../helpers/lock-process.js';
import { useRedis } from '../helpers/use-redis.js';

describe('a semaphore that four processes share', () => {
  const redis = useRedis();

  it.each([1, 5])(
    'never has more than its limit of %i inside: 64 callers',
    async (limit) => {
      const processes = await startProcesses(4, redis);
      const work = {
        key: `limit-${limit}`,
        limit,
        options: { wait: '1m' },
        callers: 16,
        each: 20,
        hold: 1,
      };
      const runs = processes.map((process) => process.call('sections', work));
      const sections = (await Promise.all(runs)).flat();

      expect(sections).toHaveLength(64 * 20);
      // Not less either: as many as may be inside are.
      expect(mostAtOnce(sections)).toBe(limit);
      expect(new Set(byFence(sections).map(({ fence }) => fence)).size).toBe(
        sections.length,
      );
      if (limit === 1) expect(fallingFences(sections)).toEqual([]);
      expect(await redis.keys()).toEqual([]);
    },
  );
});
