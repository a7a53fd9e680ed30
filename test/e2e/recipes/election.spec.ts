import { describe, expect, it } from '@jest/globals';
import { openLocks } from '../../helpers/open-locks.js';
import { startTypescript, stopTypescript, type TypescriptProcess } from '../../helpers/typescript-process.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();

interface Step {
  event: 'ready' | 'leads' | 'stepped down' | 'failed';
  fence: number;
  at: number;
}

type Replica = TypescriptProcess<Step>;

const start = (count: number): Promise<Replica[]> =>
  Promise.all(Array.from({ length: count }, () => startTypescript<Step>('recipes/election.ts', redis.url)));

const leads = ({ events }: Replica) => events.filter(({ event }) => event !== 'ready').at(-1)?.event === 'leads';

/** Resolves when one of them leads, other than before. */
async function untilLeading(replicas: readonly Replica[], before?: Replica): Promise<[leader: Replica, step: Step]> {
  let leader: Replica | undefined;
  const found = () => (leader = replicas.find((replica) => replica !== before && leads(replica))) !== undefined;
  await waitUntil(found, 'a leader');
  return [leader as Replica, (leader as Replica).events.at(-1) as Step];
}

describe('The leader among several processes', () => {
  it('is one at a time, and another one leads when it is killed, once its lease is over', async () => {
    const replicas = await start(3);
    const [first, { fence }] = await untilLeading(replicas);
    await stopTypescript(first, 'SIGKILL');
    expect(await redis.client.exists('lock:leader')).toBe(1);
    const rest = await redis.client.pttl('lock:leader');
    const lookedAt = Number(process.hrtime.bigint()) / 1e6;
    const others = replicas.filter((replica) => replica !== first);
    expect(others.some(leads)).toBe(false);
    const [second, step] = await untilLeading(others);
    expect(step.at - lookedAt).toBeGreaterThan(rest - 10);
    expect(step.fence).toBeGreaterThan(fence);
    expect(others.filter(leads)).toEqual([second]);
  });

  it('hands over at once when it is stopped', async () => {
    const replicas = await start(2);
    const [first, { fence }] = await untilLeading(replicas);
    await stopTypescript(first, 'SIGTERM');
    const left = first.events.at(-1) as Step;
    expect(left).toMatchObject({ event: 'stepped down', fence });
    const [, step] = await untilLeading(replicas, first);
    expect(step.at).toBeGreaterThan(left.at);
    // Long before the lease of the first one could have run out.
    expect(step.at - left.at).toBeLessThan(2_500);
  });

  it('steps down when it loses the lock, and stands again', async () => {
    const replicas = await start(2);
    const [first, { fence }] = await untilLeading(replicas);
    const { locks } = await openLocks({ connection: redis.url });
    await waitUntil(async () => (await locks.inspect('leader')).waiters.length === 1, 'the other one stands');
    await locks.forceRelease('leader');
    await waitUntil(() => first.events.some(({ event }) => event === 'stepped down'), 'the first one steps down');
    const [second] = await untilLeading(replicas, first);
    await waitUntil(async () => (await locks.inspect('leader')).waiters.length === 1, 'the first one stands again');
    await stopTypescript(second, 'SIGTERM');
    const [again, step] = await untilLeading(replicas, second);
    expect(again).toBe(first);
    expect(step.fence).toBeGreaterThan(fence);
  });
});
