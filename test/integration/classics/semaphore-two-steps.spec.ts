import { describe, expect, it } from '@jest/globals';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const ways = { A: useFaultProxy(redis), B: useFaultProxy(redis) };
const KEY = new LockState(redis, 'gateway', 'semaphore').owner;
const LIMIT = 2;

describe('Semaphore in two transactions: count the holders, then enter', () => {
  const count = async (now: number) => {
    const replies = await redis.client.multi().zremrangebyscore(KEY, '-inf', now).zcard(KEY).exec();
    return Number(replies?.[1]?.[1]);
  };
  const enter = (who: string, end: number) => redis.client.multi().zadd(KEY, end, who).pexpire(KEY, 60_000).exec();

  it('the classic: A counts, B counts, B enters, A enters: one more than the limit', async () => {
    const now = 1_000_000;
    await enter('first', now + 60_000);
    expect(await count(now)).toBeLessThan(LIMIT); // A counts,
    expect(await count(now)).toBeLessThan(LIMIT); // B counts.
    await enter('B', now + 60_000);
    await enter('A', now + 60_000);
    expect(await redis.client.zcard(KEY)).toBe(LIMIT + 1);
  });

  it.each([
    ['B', 'A'],
    ['A', 'B'],
  ] as const)(
    'here: A and B have seen a free permit and both ask for it, %s first: %s is refused',
    async (first, second) => {
      const { locks } = await openLocks({ connection: redis.url });
      const clients = {
        A: (await openLocks({ connection: ways.A.url })).locks,
        B: (await openLocks({ connection: ways.B.url })).locks,
      };
      await locks.acquireSemaphore('gateway', LIMIT);
      for (const client of [clients.A, clients.B]) {
        const seen = await client.inspect('gateway', { kind: 'semaphore' });
        expect(seen.holders).toHaveLength(1);
      }
      const held = {
        A: ways.A.hold('requests', { of: 'commands' }),
        B: ways.B.hold('requests', { of: 'commands' }),
      };
      const once = { wait: 0 };
      const tries = {
        A: clients.A.acquireSemaphore('gateway', LIMIT, once),
        B: clients.B.acquireSemaphore('gateway', LIMIT, once),
      };
      const refused = expect(tries[second]).rejects.toMatchObject({
        code: 'LOCK_BUSY',
      });
      await waitUntil(() => held.A.pieces === 1 && held.B.pieces === 1, 'both ask');
      held[first].letGo();
      expect((await tries[first]).held).toBe(true);
      held[second].letGo();
      await refused;
      expect(await redis.client.zcard(KEY)).toBe(LIMIT);
    },
  );
});
