import { describe, expect, it } from '@jest/globals';
import { useTypescript } from '../../helpers/typescript-process.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();

/** How much later than the first one each process comes to its tick, ms. */
const SKEWS = [0, 70, 140, 200];
const TICKS = 5;

interface Ticked {
  event: 'ready' | 'ticked';
}

const replicas = useTypescript<Ticked>(SKEWS.length, 'recipes/cron.ts', () => [redis.url], 'file');

/** How often the job ran at each of several ticks that reach all processes. */
async function runsPerTick(job: string): Promise<number[]> {
  for (const { events } of replicas) events.length = 0;
  const runs: number[] = [];
  for (let tick = 1; tick <= TICKS; tick++) {
    replicas.forEach((replica, i) => replica.send({ tick: job, after: SKEWS[i] }));
    const done = () => replicas.every(({ events }) => events.length === tick);
    await waitUntil(done, `tick ${tick} in all processes`);
    runs.push(Number(await redis.client.getdel(`sent:${job}`)));
    // The next one is a night later, when minHold is over.
    await redis.client.del(`lock:${job}`);
  }
  return runs;
}

describe('A job in four processes whose clocks differ by up to 200 ms', () => {
  it('runs once per tick with onBusy: skip and a minHold above the difference (BC-75)', async () => {
    expect(await runsPerTick('nightly-report')).toEqual(Array(TICKS).fill(1));
  });

  it('runs more often without minHold: it is over before the last clock comes to its tick (BC-75)', async () => {
    const runs = await runsPerTick('eager-report');
    expect(runs.reduce((sum, count) => sum + count)).toBeGreaterThan(TICKS);
  });
});
