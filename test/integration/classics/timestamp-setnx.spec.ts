import { describe, expect, it } from '@jest/globals';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { watch } from '../../helpers/watch.js';

const redis = useRedis();
const ways = { C1: useFaultProxy(redis), C2: useFaultProxy(redis) };
const state = new LockState(redis, 'report');
const KEY = state.owner;

/** Clients that outlast what a test holds back. */
const patient = { commandTimeout: '10s' };

/** C0 took the lock and died; its lease is about to end. */
async function leaveToC0(): Promise<void> {
  const { locks } = await openLocks({ connection: redis.url });
  await locks.acquire('report', { ttl: 1_000, renew: false });
}

const untilC0IsOver = () => waitUntil(async () => (await redis.client.exists(KEY)) === 0, 'the end of the lease');

/** Both clients, and how to keep what they send from now on. */
async function openBoth() {
  const clients = {
    C1: (await openLocks({ connection: ways.C1.url, ...patient })).locks,
    C2: (await openLocks({ connection: ways.C2.url, ...patient })).locks,
  };
  const holdBack = () => ({
    C1: ways.C1.hold('requests', { of: 'commands' }),
    C2: ways.C2.hold('requests', { of: 'commands' }),
  });
  return { clients, holdBack };
}

describe('Timestamp lock by SETNX: the value says when the lock ends; whoever finds it over deletes it and takes it', () => {
  const isOver = async (now: number) => Number(await redis.client.get(KEY)) < now;
  const take = async (end: number) => {
    await redis.client.del(KEY);
    return (await redis.client.setnx(KEY, end)) === 1;
  };

  it('the classic: two clients that both saw the expired stamp both take the lock', async () => {
    const now = 1_000_000;
    await redis.client.setnx(KEY, now - 1); // C0 took it and died.
    expect(await isOver(now)).toBe(true); // C1 looks,
    expect(await isOver(now)).toBe(true); // and C2 looks.
    const one = await take(now + 10_000);
    const two = await take(now + 10_001);
    expect([one, two]).toEqual([true, true]);
  });

  it.each([
    ['C1', 'C2'],
    ['C2', 'C1'],
  ] as const)(
    'here: both have seen it held and both ask after its end, %s first: one gets it',
    async (first, second) => {
      const { clients, holdBack } = await openBoth();
      await leaveToC0();
      expect((await clients.C1.inspect('report')).held).toBe(true);
      expect((await clients.C2.inspect('report')).held).toBe(true);
      const held = holdBack();
      const tries = {
        C1: clients.C1.tryAcquire('report'),
        C2: clients.C2.tryAcquire('report'),
      };
      await untilC0IsOver();
      expect([held.C1.pieces, held.C2.pieces]).toEqual([1, 1]);

      held[first].letGo();
      expect(await tries[first]).toMatchObject({ held: true });
      held[second].letGo();
      expect(await tries[second]).toBeNull();
      expect(await redis.client.get(KEY)).toBe((await tries[first])?.token);
    },
  );

  it.each([
    ['C1', 'C2'],
    ['C2', 'C1'],
  ] as const)('here: both wait and look again at its end, %s first: C1 gets it, then C2', async (first, second) => {
    const { clients, holdBack } = await openBoth();
    await leaveToC0();
    const one = clients.C1.acquire('report');
    await state.untilWaiting(1);
    const two = clients.C2.acquire('report');
    await state.untilWaiting(2);
    const held = holdBack();
    const hasTwo = watch(two);
    await untilC0IsOver();
    await waitUntil(() => held.C1.pieces > 0 && held.C2.pieces > 0, 'both look again');

    held[first].letGo();
    await clients[first].inspect('report'); // Answered after what was held back.
    held[second].letGo();
    await clients[second].inspect('report');
    const lease = await one;
    expect(lease.held).toBe(true);
    expect(hasTwo()).toBe(false);
    expect(await redis.client.get(KEY)).toBe(lease.token);

    expect(await lease.release()).toBe(true);
    expect((await two).fence).toBeGreaterThan(lease.fence);
  });
});
