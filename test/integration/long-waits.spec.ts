import { describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedisProcess } from '../helpers/use-redis.js';

const POLL = 200;
/** Three polls without a sign of life: a waiter counts as dead. */
const STALE = 3 * POLL;
/** Ten polls without any script: queue and signs of life end. */
const ENTRY = 10 * POLL;
const MODULE = { handoffTtl: 500, pollInterval: POLL };
/** Long enough for another to come between two polls. */
const CALM = { pollInterval: 1_000 };

describe.each([
  { kind: 'lock', limit: undefined },
  { kind: 'semaphore', limit: 1 },
] as const)('a live waiter, $kind', ({ kind, limit }) => {
  const redis = useRedisProcess();

  const open = async (module = {}) => (await openLocks({ connection: redis.url, ...MODULE, ...module })).locks;

  const take = (locks: LockService, key: string) => {
    const options = { ttl: '1m', wait: Infinity };
    return limit === undefined ? locks.acquire(key, options) : locks.acquireSemaphore(key, limit, options);
  };

  /** One waits, something happens, another comes, the holder leaves: who is served in which order. */
  async function serve(
    key: string,
    module: { commandTimeout?: string },
    meanwhile: (state: LockState) => Promise<void>,
  ): Promise<string[]> {
    const state = new LockState(redis, key, kind);
    const holder = await open({ commandTimeout: '30s' });
    const patient = await open(module);
    const latecomer = await open();
    const holding = await take(holder, key);
    const served: string[] = [];
    const wait = async (locks: LockService, name: string) => {
      const lease = await take(locks, key);
      served.push(name);
      await lease.release();
    };
    const first = wait(patient, 'first');
    await state.untilWaiting(1);
    await meanwhile(state);
    const second = wait(latecomer, 'latecomer');
    await state.untilWaiting(2);
    await holding.release();
    await Promise.all([first, second]);
    expect(await redis.keys()).toEqual([]);
    return served;
  }

  it('is served first, however long it waits (BC-12)', async () => {
    const served = await serve('long', {}, async (state) => {
      const end = (await state.serverTime()) + 2 * ENTRY * 1_000;
      while ((await state.serverTime()) < end) {
        // Signs of life keep the queue, for a bounded time.
        for (const key of [state.queue, state.seen]) {
          const rest = await redis.client.pttl(key);
          expect(rest).toBeGreaterThan(0);
          expect(rest).toBeLessThanOrEqual(ENTRY);
        }
        await new Promise((resolve) => setTimeout(resolve, POLL / 4));
      }
    });
    expect(served).toEqual(['first', 'latecomer']);
  });

  it.each(['30s', '300ms'])(
    'is served first when the server stood still, commandTimeout %s (BC-12)',
    async (commandTimeout) => {
      const served = await serve('paused', { commandTimeout }, async () => {
        process.kill(redis.pid, 'SIGSTOP');
        await new Promise((resolve) => setTimeout(resolve, ENTRY + STALE));
        process.kill(redis.pid, 'SIGCONT');
      });
      expect(served).toEqual(['first', 'latecomer']);
    },
  );

  it('keeps its place when the queue was lost', async () => {
    const key = 'lost-queue';
    const state = new LockState(redis, key, kind);
    const [holder, patient, latecomer] = [await open(CALM), await open(CALM), await open(CALM)];
    const holding = await take(holder, key);
    const first = take(patient, key);
    await state.untilWaiting(1);
    const [place] = await state.tickets();
    await redis.client.del(state.queue, state.seen);
    const second = take(latecomer, key);
    // At the next poll.
    await state.untilWaiting(2);
    expect((await state.tickets())[0]).toEqual(place);
    await holding.release();
    await (await first).release();
    expect((await second).held).toBe(true);
  });
});
