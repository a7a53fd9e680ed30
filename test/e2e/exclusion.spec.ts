import { describe, expect, it } from '@jest/globals';
import { byEntry, fallingFences, overlaps } from '../helpers/intervals.js';
import { startProcesses } from '../helpers/lock-process.js';
import { useRedis } from '../helpers/use-redis.js';

const PROCESSES = 4;
const CALLERS = 8;
const EACH = 313;
const SECTIONS = PROCESSES * CALLERS * EACH;

describe('one lock, four processes with eight callers each', () => {
  const redis = useRedis();

  it(`never lets two of ${SECTIONS} sections overlap, and gives them rising fences`, async () => {
    const processes = await startProcesses(PROCESSES, redis);
    const work = {
      key: 'exclusion',
      options: { wait: '1m' },
      callers: CALLERS,
      each: EACH,
      hold: 0,
    };
    const runs = processes.map((process) => process.call('sections', work));
    const sections = (await Promise.all(runs)).flat();

    expect(sections).toHaveLength(SECTIONS);
    expect(overlaps(sections)).toEqual([]);
    expect(fallingFences(sections)).toEqual([]);
    // They did contend: the lock went from process to process.
    const ordered = byEntry(sections);
    const changes = ordered.filter(({ pid }, i) => pid !== ordered[i - 1]?.pid);
    expect(changes.length).toBeGreaterThan(SECTIONS / 4);
    expect(await redis.keys()).toEqual([]);
  });
});
