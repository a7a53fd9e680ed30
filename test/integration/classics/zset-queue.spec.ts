import { describe, expect, it } from '@jest/globals';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { startProcess } from '../../helpers/lock-process.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { watch } from '../../helpers/watch.js';
import { ALL_QUEUE } from '../../helpers/ways.js';

const redis = useRedis();
const way = useFaultProxy(redis);
const state = new LockState(redis, 'report');
const tokens = async () => (await state.tickets()).map(({ token }) => token);

describe('Queue in a sorted set: score = arrival by the clock of the client, the head may enter', () => {
  const QUEUE = 'line:report';
  const line = () => redis.client.zrange(QUEUE, 0, '-1');
  const join = (who: string, clock: number) => redis.client.zadd(QUEUE, 'NX', clock, who);
  const mayEnter = async (who: string) => (await line())[0] === who;

  it('the classic: a client whose clock is slow overtakes those who came before it', async () => {
    const now = 1_000_000;
    await join('holder', now);
    await join('A', now + 10);
    await join('B', now + 20 - 5_000); // Comes after A, its clock is 5 s behind.
    expect(await line()).toEqual(['B', 'holder', 'A']);
    expect(await mayEnter('B')).toBe(true); // Beside the holder, even.
  });

  it.each([
    ['slow', -300_000],
    ['fast', 300_000],
  ])('here: clients whose clocks are %s have the place of their arrival [BC-46]', async (_, dateShift) => {
    const { locks } = await openLocks({ connection: redis.url, ...ALL_QUEUE });
    const wrong = await startProcess(redis, {}, dateShift);
    const holding = await locks.acquire('report');
    const a = locks.acquire('report');
    await state.untilWaiting(1);
    const b = wrong.call('acquire', { key: 'report', name: 'b' });
    await state.untilWaiting(2);
    const c = locks.acquire('report');
    await state.untilWaiting(3);
    const hasB = watch(b);
    const hasC = watch(c);

    const before = await tokens();
    await holding.release();
    expect((await a).token).toBe(before[0]);
    expect(hasB()).toBe(false);
    await (await a).release();
    expect((await b).token).toBe(before[1]);
    expect(hasC()).toBe(false);
    await wrong.call('release', { name: 'b' });
    expect((await c).token).toBe(before[2]);
  });

  it('the classic: a head that died blocks everybody behind it', async () => {
    await join('dead', 1);
    await join('B', 2);
    // The lock is free; B asks and asks, and nothing will ever take the head away.
    for (let i = 0; i < 20; i++) expect(await mayEnter('B')).toBe(false);
    expect(await redis.client.ttl(QUEUE)).toBe(-1);
  });

  it('here: a head whose process died is passed over with the release [BC-11]', async () => {
    const { locks } = await openLocks({ connection: redis.url, ...ALL_QUEUE });
    const dying = await openLocks({ connection: way.url });
    const holding = await locks.acquire('report');
    const dead = dying.locks.acquire('report', { wait: 500 });
    await state.untilWaiting(1);
    const b = locks.acquire('report');
    await state.untilWaiting(2);
    way.down();
    const released = performance.now();
    await holding.release();
    expect((await b).held).toBe(true);
    // A hand-off to the dead one would have had to run out first.
    expect(performance.now() - released).toBeLessThan(1_500);
    await expect(dead).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
  });

  it('here: a head whose process stands still keeps the others back for one hand-off lease [BC-11]', async () => {
    const module = { handoffTtl: 500 };
    const { locks } = await openLocks({ connection: redis.url, ...module, ...ALL_QUEUE });
    const frozen = await startProcess(redis, module);
    const holding = await locks.acquire('report');
    void frozen.call('acquire', { key: 'report', name: 'lease' });
    await state.untilWaiting(1);
    const b = locks.acquire('report');
    await state.untilWaiting(2);
    frozen.freeze();
    await holding.release();
    expect(await redis.client.pttl(state.owner)).toBeLessThanOrEqual(500);
    expect((await b).held).toBe(true);
  });

  it('the classic: the lease of the holder is put on the shared key and takes all who wait with it', async () => {
    await join('holder', 1);
    await redis.client.pexpire(QUEUE, 50);
    await join('A', 2);
    await join('B', 3);
    await waitUntil(async () => (await redis.client.exists(QUEUE)) === 0, 'the end of the lease');
    await join('newcomer', 4);
    expect(await line()).toEqual(['newcomer']); // A and B are gone with the holder.
  });

  it('here: those who wait outlive the lease of the holder, in their order [BC-12]', async () => {
    const { locks } = await openLocks({ connection: redis.url, ...ALL_QUEUE });
    const waiting = await openLocks({ connection: way.url, ...ALL_QUEUE });
    await locks.acquire('report', { ttl: 1_000, renew: false });
    const a = waiting.locks.acquire('report');
    await state.untilWaiting(1);
    const b = waiting.locks.acquire('report');
    await state.untilWaiting(2);
    const before = await tokens();
    const held = way.hold('requests'); // Nobody who waits can do anything for the queue.
    await waitUntil(async () => (await redis.client.exists(state.owner)) === 0, 'the end of the lease');
    expect(await tokens()).toEqual(before);
    expect(await locks.tryAcquire('report')).toBeNull(); // A newcomer.
    expect(await redis.client.get(state.owner)).toBe(before[0]);

    held.letGo();
    expect((await a).token).toBe(before[0]);
    await (await a).release();
    expect((await b).token).toBe(before[1]);
  });
});
