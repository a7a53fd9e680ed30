import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from 'nestjs-redis-lock';
import { overlaps } from '../helpers/intervals.js';
import { startProcesses } from '../helpers/lock-process.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { ALL_QUEUE } from '../helpers/ways.js';

const redis = useRedis();
const KEY = 'lock:order:42';
const NAME = 'order:42';
/** The script that everybody uses to give a plain Redis lock back. */
const DELETE_IF_MINE =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

/** What a person types. */
const cli = (...args: string[]) => redis.server.cli(...args);
const deleteIfMine = (token: string) => cli('EVAL', DELETE_IF_MINE, '1', KEY, token);

/** A section that runs until it is told to end. */
async function openSection(options = {}) {
  const { locks } = await openLocks({ connection: redis.url });
  let lease: Lease | undefined;
  let end: (result: string) => void = () => undefined;
  const work = new Promise<string>((resolve) => (end = resolve));
  const section = locks.withLock(NAME, options, (given) => {
    lease = given;
    return work;
  });
  // Its end is looked at later.
  section.catch(() => undefined);
  await waitUntil(() => lease !== undefined, 'the section is entered');
  return { lease: lease as unknown as Lease, section, end };
}

describe('With redis-cli', () => {
  it('GET gives the token of the holder, PTTL the rest of its lease, EXISTS the state', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    expect(await cli('EXISTS', KEY)).toBe('0');
    const lease = await locks.acquire(NAME, { ttl: 5_000 });
    expect(await cli('GET', KEY)).toBe(lease.token);
    expect(await cli('EXISTS', KEY)).toBe('1');
    const rest = Number(await cli('PTTL', KEY));
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThanOrEqual(5_000);
    await lease.release();
    expect(await cli('EXISTS', KEY)).toBe('0');
    expect(await cli('KEYS', '*')).toBe('');
  });

  it('PTTL is never -1 and never above the lease: held, renewed, waited for, handed on [BC-52]', async () => {
    const { locks } = await openLocks({ connection: redis.url, ...ALL_QUEUE });
    let more = true;
    const caller = async (hold: number) => {
      while (more) await locks.withLock(NAME, { ttl: 2_000 }, () => sleep(hold));
    };
    // The second is renewed now and then.
    const callers = [caller(1), caller(800), caller(1)];
    const watching = ['-r', '60', '-i', '0.02', 'PTTL'];
    const keys = [KEY, `queue:{${KEY}}`, `seen:{${KEY}}`];
    const shown = await Promise.all(keys.map((key) => cli(...watching, key)));
    more = false;
    await Promise.all(callers);
    const [rests = [], ...others] = shown.map((lines) => lines.split('\n').map(Number));
    for (const all of [rests, ...others]) {
      expect(all).toHaveLength(60);
      expect(all).not.toContain(-1);
      expect(Math.max(...all)).toBeGreaterThan(0);
    }
    expect(Math.max(...rests)).toBeLessThanOrEqual(2_000);
  });

  it('the plain compare-and-delete script does nothing with a wrong token', async () => {
    const { lease, section, end } = await openSection();
    expect(await deleteIfMine('somebody')).toBe('0');
    expect(await cli('EXISTS', KEY)).toBe('1');
    expect(lease.held).toBe(true);
    end('done');
    expect(await section).toBe('done');
  });

  it('the same script with the token from GET ends the lock, and the holder learns it', async () => {
    const { lease, section, end } = await openSection({ ttl: 600 });
    expect(await deleteIfMine(await cli('GET', KEY))).toBe('1');
    expect(await cli('EXISTS', KEY)).toBe('0');
    await waitUntil(() => lease.signal.aborted, 'the signal', 5_000);
    expect(lease.held).toBe(false);
    expect(lease.signal.reason).toMatchObject({ code: 'LOCK_LOST' });
    end('done');
    await expect(section).rejects.toMatchObject({
      code: 'LOCK_LOST',
      result: 'done',
    });
  });

  it('a release after that answers false', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire(NAME);
    await deleteIfMine(await cli('GET', KEY));
    expect(await lease.release()).toBe(false);
    expect(lease.signal.aborted).toBe(true);
  });

  it('a lease that nobody renewed shows PTTL -2 and EXISTS 0 while the section still runs', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire(NAME, { ttl: 300, renew: false });
    await waitUntil(async () => (await cli('PTTL', KEY)) === '-2', 'its end');
    expect(await cli('EXISTS', KEY)).toBe('0');
    expect(lease.held).toBe(false);
    expect(await lease.release()).toBe(false);
  });

  it('SET key token NX PX of another program keeps us out, and we keep it out', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const set = () => cli('SET', KEY, 'other', 'NX', 'PX', '60000');
    expect(await set()).toBe('OK');
    expect(await locks.tryAcquire(NAME)).toBeNull();
    const waiting = locks.acquire(NAME);
    await new LockState(redis, NAME).untilWaiting(1);
    expect(await cli('GET', KEY)).toBe('other');
    expect(await deleteIfMine('other')).toBe('1');
    const lease = await waiting;
    expect(await set()).toBe('');
    expect(await cli('GET', KEY)).toBe(lease.token);
    await lease.release();
    expect(await set()).toBe('OK');
  });

  it('ZRANGE of the queue shows the waiters in the order in which they are served', async () => {
    const { locks } = await openLocks({ connection: redis.url, ...ALL_QUEUE });
    const state = new LockState(redis, NAME);
    let holder = await locks.acquire(NAME);
    const waiting: Promise<Lease>[] = [];
    for (let i = 1; i <= 3; i++) {
      waiting.push(locks.acquire(NAME));
      await state.untilWaiting(i);
    }
    const shown = (await cli('ZRANGE', `queue:{${KEY}}`, '0', '-1')).split('\n');
    const served: string[] = [];
    for (const next of waiting) {
      await holder.release();
      holder = await next;
      served.push(holder.token);
    }
    expect(served).toEqual(shown);
  });

  it('ZRANGE of a semaphore shows its holders', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const permits: Lease[] = [];
    for (let i = 0; i < 3; i++) {
      permits.push(await locks.acquireSemaphore('gateway', 3));
    }
    const shown = () => cli('ZRANGE', 'semaphore:gateway', '0', '-1');
    const tokens = permits.map(({ token }) => token);
    expect((await shown()).split('\n').sort()).toEqual(tokens.sort());
    await permits.pop()?.release();
    expect((await shown()).split('\n')).toHaveLength(2);
  });

  it('stamps of entry and exit, sorted by key and time, never cross', async () => {
    const processes = await startProcesses(3, redis);
    const keys = ['order:1', 'order:2'];
    const runs = keys.flatMap((key) =>
      processes.map(async (process) => {
        const work = { key, callers: 3, each: 20, hold: 1 };
        return { key, done: await process.call('sections', work) };
      }),
    );
    const all = await Promise.all(runs);
    for (const key of keys) {
      const sections = all.flatMap((run) => (run.key === key ? run.done : []));
      expect(sections).toHaveLength(3 * 3 * 20);
      const stamps = sections
        .flatMap(({ fence, entered, left }) => [
          { at: entered, fence },
          { at: left, fence },
        ])
        .sort((a, b) => a.at - b.at);
      for (let i = 0; i < stamps.length; i += 2) {
        expect(stamps[i]?.fence).toBe(stamps[i + 1]?.fence);
      }
      expect(overlaps(sections)).toEqual([]);
    }
  });
});
