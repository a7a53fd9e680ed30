import { describe, expect, it } from '@jest/globals';
import { openLocks } from '../../helpers/open-locks.js';
import { type TypescriptProcess, useTypescript } from '../../helpers/typescript-process.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();

interface Step {
  event: 'ready' | 'leads' | 'stepped down' | 'failed';
  fence: number;
  at: number;
}

type Replica = TypescriptProcess<Step>;

const replicas = useTypescript<Step>(3, 'recipes/election.ts', () => [redis.url]);

const leads = ({ events }: Replica) => events.filter(({ event }) => event !== 'ready').at(-1)?.event === 'leads';

/** Resolves when one of them leads, other than the one before. */
async function untilLeading(before?: Replica): Promise<[leader: Replica, step: Step]> {
  let leader: Replica | undefined;
  const found = () => (leader = replicas.find((replica) => replica !== before && leads(replica))) !== undefined;
  await waitUntil(found, 'a leader');
  return [leader as Replica, leader?.events.at(-1) as Step];
}

const now = () => Number(process.hrtime.bigint()) / 1e6;

describe('The leader among several processes', () => {
  it('is one at a time, and another one when it loses the lock, is stopped, or is killed', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const untilStanding = (count: number) =>
      waitUntil(async () => (await locks.inspect('leader')).waiters.length === count, `${count} stand for election`);

    const [first, { fence }] = await untilLeading();
    await untilStanding(2);
    await locks.forceRelease('leader');
    const [second, afterLoss] = await untilLeading(first);
    await waitUntil(() => !leads(first), 'the first one steps down');
    expect(afterLoss.fence).toBeGreaterThan(fence);
    // The first one stands again.
    await untilStanding(2);

    await second.stop('SIGTERM');
    const left = second.events.at(-1);
    expect(left).toMatchObject({ event: 'stepped down', fence: afterLoss.fence });
    const [third, afterStop] = await untilLeading(second);
    expect(afterStop.at).toBeGreaterThan(left?.at ?? Infinity);
    // Long before the lease of the second one could have run out.
    expect(afterStop.at - (left?.at ?? 0)).toBeLessThan(2_500);
    await untilStanding(1);

    await third.stop('SIGKILL');
    const rest = await redis.client.pttl('lock:leader');
    const lookedAt = now();
    expect(rest).toBeGreaterThan(0);
    third.events.length = 0;
    const [, afterDeath] = await untilLeading(second);
    expect(afterDeath.at - lookedAt).toBeGreaterThan(rest - 10);
    expect(afterDeath.fence).toBeGreaterThan(afterStop.fence);
    expect(replicas.flatMap(({ events }) => events).filter(({ event }) => event === 'failed')).toEqual([]);
  });
});
