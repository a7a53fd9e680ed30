import { describe, expect, it } from '@jest/globals';
import { byEntry, byFence, fallingFences, overlaps } from '../helpers/intervals.js';
import { type Section, now, useProcesses } from '../helpers/lock-process.js';
import { LockState } from '../helpers/lock-state.js';
import { useRedis } from '../helpers/use-redis.js';

const FIVE_MINUTES = 300_000;

describe('wall clocks five minutes apart (BC-46)', () => {
  const redis = useRedis();
  const dateShifts = [FIVE_MINUTES, 0, -FIVE_MINUTES];
  const processes = useProcesses(3, redis, { dateShifts });

  describe.each([
    { kind: 'lock', limit: undefined },
    { kind: 'semaphore', limit: 1 },
  ] as const)('$kind', ({ kind, limit }) => {
    const options = { wait: '1m' };

    it('leave exclusion and fences alone', async () => {
      const work = {
        key: 'skewed',
        limit,
        options,
        callers: 4,
        each: 50,
        hold: 0,
      };
      const runs = processes.map((process) => process.call('sections', work));
      const sections = (await Promise.all(runs)).flat();
      expect(sections).toHaveLength(600);
      expect(overlaps(sections)).toEqual([]);
      expect(fallingFences(sections)).toEqual([]);
    });

    it('leave the order alone', async () => {
      const target = { key: 'skewed-order', limit, options: { ...options, fair: true } };
      const state = new LockState(redis, target.key, kind);
      const [holder] = processes;
      await holder.call('acquire', { ...target, name: 'holding' });
      const waiting: Promise<Section>[] = [];
      for (let i = 0; i < 5; i++) {
        for (const process of processes) {
          waiting.push(process.section(target, 2));
          await state.untilWaiting(waiting.length);
        }
      }
      await holder.call('release', { name: 'holding' });
      const sections = await Promise.all(waiting);
      expect(byFence(sections)).toEqual(sections);
      expect(byEntry(sections)).toEqual(sections);
    });

    it('neither end a lease nor keep one', async () => {
      const target = { key: 'skewed-lease', limit };
      const state = new LockState(redis, target.key, kind);
      const [ahead, right, behind] = processes;
      for (const [holder, other] of [
        [ahead, behind],
        [behind, ahead],
      ] as const) {
        // A kept lease outlives three of its lengths against a waiter whose clock is ten minutes off.
        const name = `holder-${holder.pid}`;
        const lease = { ttl: 300 };
        await holder.call('acquire', { ...target, options: lease, name });
        const begun = await state.serverTime();
        const waiting = other.call('acquire', { ...target, options, name });
        await state.untilWaiting(1);
        await state.untilServerTime(begun + 900_000);
        expect(await holder.call('look', { name })).toMatchObject({ held: true });
        expect(await state.waiters()).toBe(1);
        await holder.call('release', { name });
        await waiting;
        await other.call('release', { name });
        // One that is not kept ends in time.
        await holder.call('acquire', {
          ...target,
          options: { ttl: 300, renew: false },
          name,
        });
        const takenAt = now();
        const next = await right.call('acquire', { ...target, options, name });
        expect(next.at - takenAt).toBeLessThan(1_300);
        expect(await holder.call('look', { name })).toMatchObject({ held: false });
        await right.call('release', { name });
      }
    });

    it('cost a holder nothing when they are set back', async () => {
      const target = { key: 'set-back', limit };
      const state = new LockState(redis, target.key, kind);
      const [holder] = processes;
      const name = 'kept';
      await holder.call('acquire', { ...target, options: { ttl: 300 }, name });
      const begun = await state.serverTime();
      await holder.call('shiftDate', -FIVE_MINUTES);
      await state.untilServerTime(begun + 900_000);
      expect(await holder.call('look', { name })).toMatchObject({ held: true });
      expect(await holder.call('release', { name })).toMatchObject({ released: true });
    });

    it.each([-FIVE_MINUTES, FIVE_MINUTES])('cost a waiter nothing when they are set by %i ms', async (by) => {
      const target = { key: `set-${by}`, limit, options };
      const state = new LockState(redis, target.key, kind);
      const [holder, waiter, next] = processes;
      const name = `waited-${by}`;
      // It ends by itself, so that the waiter must look at the right time.
      const lease = { ttl: 1_000, renew: false };
      await holder.call('acquire', { ...target, options: lease, name });
      const takenAt = now();
      const waiting = waiter.call('acquire', { ...target, name });
      // Before the server has answered.
      await waiter.call('shiftDate', by);
      await state.untilWaiting(1);
      const { at, fence } = await waiting;
      expect(at - takenAt).toBeLessThan(lease.ttl + 1_000);
      expect(await waiter.call('look', { name })).toMatchObject({ held: true });
      // A place in the queue, and a hand-off.
      const waitingNext = next.call('acquire', { ...target, name });
      await state.untilWaiting(1);
      await next.call('shiftDate', by);
      await waiter.call('release', { name });
      expect((await waitingNext).fence).toBeGreaterThan(fence);
      expect(await next.call('look', { name })).toMatchObject({ held: true });
      await next.call('release', { name });
    });
  });
});
