import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedisProcess } from '../../tools/redis/index.mjs';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { loadScripts } from '../helpers/script-requests.js';
import { timed } from '../helpers/timed.js';
import { untilRenewed } from '../helpers/until-renewed.js';
import { useRedisProcess } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

/** A server that keeps its data when it is killed. */
const dir = mkdtempSync(join(tmpdir(), 'redis-lock-data-'));
const durable = ['--dir', dir, '--appendonly', 'yes'];
const args = [...durable, '--appendfsync', 'always'];
const redis = useRedisProcess(args);
const state = new LockState(redis, 'k');

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const flush = () => redis.client.script('FLUSH');

async function restart(how: string[]): Promise<void> {
  const { port } = redis;
  await redis.server.stop();
  redis.server = await startRedisProcess({ port, args: how });
}

const open = async () => (await openLocks({ connection: redis.url })).locks;

describe('a script cache that was flushed [BC-57]', () => {
  it('does not disturb acquire, renew, extend and release', async () => {
    const locks = await open();
    await flush();
    const lease = await locks.acquire('k', { ttl: 300 });
    await flush();
    await untilRenewed(lease);
    await flush();
    await lease.extend('10s');
    await flush();
    expect(await lease.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('does not disturb permits', async () => {
    const locks = await open();
    await flush();
    const lease = await locks.acquireSemaphore('k', 2, { ttl: 300 });
    await flush();
    await untilRenewed(lease);
    await flush();
    expect(await lease.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('does not put a caller before an earlier one, when the first command that gives back and takes comes', async () => {
    const locks = await open();
    const fair = { fair: true, ttl: '10s', wait: '10s' } as const;
    const before = await locks.acquire('k', fair);
    // Opens the wake channel; from now on the server knows how to take and how to give back.
    const waiting = locks.acquire('k', fair);
    await state.untilWaiting(1);
    await before.release();
    const held = await waiting;
    const released = held.release();
    const order: string[] = [];
    const enter = async (name: string): Promise<void> => {
      const lease = await locks.acquire('k', fair);
      order.push(name);
      await lease.release();
    };
    const one = enter('one');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([released, one, enter('two')]);
    expect(order).toEqual(['one', 'two']);
  });

  it('does not disturb those who wait, nor looks from outside', async () => {
    const [holder, waiter] = [await open(), await open()];
    const held = await holder.acquire('k');
    await flush();
    const waiting = waiter.acquire('k');
    await state.untilWaiting(1);
    await flush();
    expect((await holder.inspect('k')).waiters).toHaveLength(1);
    await flush();
    await held.release();
    await waiting;
    await flush();
    expect(await waiter.forceRelease('k')).toBe(true);
  });

  it.each(['lock', 'semaphore'] as const)(
    'does not let one try come before a release in the background that it follows: %s',
    async (kind) => {
      const locks = await open();
      const options = { releaseMode: 'background' } as const;
      const next = { ...options, wait: 0 };
      const section = (how: object) =>
        kind === 'lock' ? locks.withLock('k', how, () => 'done') : locks.withSemaphore('k', 1, how, () => 'done');
      for (let i = 0; i < 10; i++) {
        await flush();
        // The text of the release goes out a round trip later.
        await loadScripts(redis, [`${kind}-acquire`]);
        await section(options);
        expect(await section(next)).toBe('done');
      }
      await locks.inspect('k');
      expect(await redis.keys()).toEqual([]);
    },
  );

  it('does not let a cancelled acquire in behind its cancel', async () => {
    const locks = await open();
    for (let i = 0; i < 20; i++) {
      await flush();
      // The cancel is known to Redis and the acquire is not, so that its text would come last.
      await loadScripts(redis, ['lock-release']);
      const controller = new AbortController();
      const { signal } = controller;
      const cancelled = locks.acquire(`k${i}`, { signal }).catch(() => null);
      controller.abort();
      expect(await cancelled).toBeNull();
    }
    await locks.inspect('k');
    expect(await redis.keys()).toEqual([]);
  });
});

describe('a restart of the server', () => {
  it('that keeps its data is no loss for holder and waiter [BC-57]', async () => {
    const [holder, waiter] = [await open(), await open()];
    const held = await holder.acquire('k', { ttl: 6000 });
    const waiting = waiter.acquire('k', { wait: 10_000 });
    await state.untilWaiting(1);
    await restart(args);
    await untilRenewed(held);
    expect(await held.release()).toBe(true);
    expect(await (await waiting).release()).toBe(true);
  });

  it('that loses its data is a loss for the holder, and lets the one in who waits', async () => {
    const [holder, waiter] = [await open(), await open()];
    const held = await holder.acquire('k', { ttl: 3000 });
    const waiting = waiter.acquire('k', { wait: 10_000 });
    await state.untilWaiting(1);
    await restart([]);
    expect((await timed(() => waiting)).took).toBeLessThan(2000);
    await waitUntil(() => held.signal.aborted, 'told', 2000);
    expect(await held.release()).toBe(false);
    expect(await (await waiting).release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });
});
