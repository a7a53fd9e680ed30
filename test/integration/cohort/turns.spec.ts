import { describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandCount, LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const LONG = { ttl: '1m', wait: '1m' };

/** What one section saw. */
interface Section {
  readonly client: number;
  readonly fence: number;
  readonly token: string;
}

interface Competition {
  readonly clients?: number;
  readonly callers?: number;
  readonly each?: number;
  readonly module?: object;
  /** Work of a section, ms. */
  readonly hold?: number;
}

const open = async (module = {}) => (await openLocks({ connection: redis.url, ...module })).locks;

/** Sections in the order in which they ran, of callers who all want one key again and again. */
async function compete({ clients = 4, callers = 8, each = 50, module = {}, hold = 0 }: Competition) {
  const services = await Promise.all(Array.from({ length: clients }, () => open(module)));
  const sections: Section[] = [];
  let inside = 0;
  const call = (locks: LockService, client: number) =>
    locks.withLock('hot', LONG, async ({ fence, token }) => {
      inside++;
      expect(inside).toBe(1);
      sections.push({ client, fence, token });
      await (hold > 0 ? sleep(hold) : Promise.resolve());
      inside--;
    });
  await Promise.all(
    services.flatMap((locks, client) =>
      Array.from({ length: callers }, async () => {
        for (let i = 0; i < each; i++) await call(locks, client);
      }),
    ),
  );
  expect(await redis.keys()).toEqual([]);
  return sections;
}

/** How long the runs of one client are, from where all have begun to where the first one is through. */
function runsOf(sections: readonly Section[]): number[] {
  const firstOf = new Map<number, number>();
  const lastOf = new Map<number, number>();
  sections.forEach(({ client }, i) => {
    if (!firstOf.has(client)) firstOf.set(client, i);
    lastOf.set(client, i);
  });
  const contended = sections.slice(Math.max(...firstOf.values()), Math.min(...lastOf.values()));
  const runs: number[] = [];
  contended.forEach(({ client }, i) => {
    if (i > 0 && contended[i - 1]?.client === client) runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1;
    else runs.push(1);
  });
  return runs;
}

describe('Callers of one process', () => {
  it('stand in the queue of Redis once, and are served in the order in which they came', async () => {
    const [one, other] = [await open(), await open()];
    const state = new LockState(redis, 'seat');
    const held = await other.acquire('seat');
    const served: number[] = [];
    const waiting = Array.from({ length: 20 }, (_, i) => one.withLock('seat', LONG, () => void served.push(i)));
    await state.untilWaiting(1);
    await held.release();
    await Promise.all(waiting);
    expect(served).toEqual(served.map((_, i) => i));
    expect(served).toHaveLength(20);
  });

  it('have handles of their own, and a late release of one does nothing to the next [BC-42]', async () => {
    const locks = await open();
    const first = await locks.acquire('k');
    const next = locks.acquire('k');
    expect(await first.release()).toBe(true);
    const second = await next;
    expect(second.token).toBe(first.token);
    expect(second.fence).toBeGreaterThan(first.fence);
    expect([first.held, second.held]).toEqual([false, true]);
    expect(await first.release()).toBe(true);
    await expect(first.extend(1_000)).rejects.toMatchObject({ code: 'LOCK_LOST' });
    expect([first.signal.aborted, second.held]).toEqual([false, true]);
    expect(await redis.client.get('lock:k')).toBe(second.token);
    await second.release();
    expect(await redis.keys()).toEqual([]);
  });

  it('pass the lock on without Redis', async () => {
    const count = new CommandCount(redis);
    const locks = await open();
    const first = await locks.acquire('k');
    const waiting = Array.from({ length: 5 }, () => locks.acquire('k'));
    await count.reset();
    await first.release();
    for (const lease of waiting.slice(0, -1)) await (await lease).release();
    expect(await count.scripts()).toBe(0);
    await (await waiting.at(-1))?.release();
    expect(await count.scripts()).toBe(1);
  });
});

describe('Turns of processes', () => {
  it('cost at most 0.15 commands per section, and every fence is above all before it [BC-82]', async () => {
    const count = new CommandCount(redis);
    await count.reset();
    const sections = await compete({ each: 100 });
    expect(sections).toHaveLength(3_200);
    expect((await count.scripts()) / sections.length).toBeLessThanOrEqual(0.15);
    const fences = sections.map(({ fence }) => fence);
    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
  });

  it('are no longer than the passes that the module allows', async () => {
    const sections = await compete({ each: 100, module: { cohort: { passes: 4, time: '1m' } } });
    const runs = runsOf(sections);
    expect(Math.max(...runs)).toBe(5);
    expect(runs.length).toBeGreaterThan(200);
  });

  it('are no longer than the time that the module allows, whatever the sections take', async () => {
    const module = { cohort: { passes: 1_000, time: 100 } };
    const sections = await compete({ clients: 2, callers: 4, each: 8, hold: 30, module });
    // The last one may begin just before the time is over.
    expect(Math.max(...runsOf(sections))).toBeLessThanOrEqual(5);
    expect(Math.max(...runsOf(sections))).toBeGreaterThan(1);
  });

  it('are one section each with no passes, as with fair: true', async () => {
    const count = new CommandCount(redis);
    // Opens the wake channels.
    const module = { cohort: { passes: 0 } };
    await count.reset();
    const sections = await compete({ module });
    expect(new Set(sections.map(({ token }) => token)).size).toBe(sections.length);
    expect((await count.scripts()) / sections.length).toBeGreaterThan(1.5);
  });

  it('let a caller who wants exact order in, whose process has the lock', async () => {
    const locks = await open();
    let more = true;
    const crowd = Array.from({ length: 4 }, async () => {
      while (more) await locks.withLock('k', LONG, () => sleep(1));
    });
    for (let i = 0; i < 3; i++) await locks.withLock('k', { ...LONG, fair: true }, () => undefined);
    more = false;
    await Promise.all(crowd);
    expect(await redis.keys()).toEqual([]);
  });

  it('go on in another process when the one that has it is busy for long', async () => {
    const [one, other] = [await open(), await open()];
    const first = await one.acquire('k');
    const entered: string[] = [];
    const waiting = [
      one.withLock('k', LONG, () => void entered.push('one')),
      other.withLock('k', LONG, () => void entered.push('other')),
    ];
    await new LockState(redis, 'k').untilWaiting(1);
    // Longer than a turn.
    await waitUntil(() => first.remaining < 9_900, 'the end of the turn');
    await first.release();
    await Promise.all(waiting);
    expect(entered).toEqual(['other', 'one']);
  });
});
