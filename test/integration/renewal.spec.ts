import { beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { CommandCount } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { asksFor, loadScripts } from '../helpers/script-requests.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const commands = new CommandCount(redis);
const renewals = asksFor('lock-renew');

beforeEach(() => loadScripts(redis));

describe('renewal', () => {
  it('keeps a section of ten leases alive, for lock and semaphore', async () => {
    const [mine, other] = await Promise.all([
      openLocks({ connection: redis.url, defaults: { ttl: 300 } }),
      openLocks({ connection: redis.url }),
    ]);
    const worked = new AbortController();
    const work = () => once(worked.signal, 'abort');
    const sections = Promise.all([mine.locks.withLock('k', work), mine.locks.withSemaphore('k', 1, work)]);
    await waitUntil(async () => (await redis.keys()).length === 2, 'held');
    const end = performance.now() + 3000;
    while (performance.now() < end) {
      expect(await other.locks.tryAcquire('k')).toBeNull();
      await expect(other.locks.acquireSemaphore('k', 1, { wait: 0 })).rejects.toMatchObject({ code: 'LOCK_BUSY' });
      await sleep(20);
    }
    worked.abort();
    await sections;
    expect(await redis.keys()).toEqual([]);
  });

  it('makes a failed try good, and renews the next holding, too [BC-16]', async () => {
    const { locks } = await openLocks({ connection: proxy.url });
    for (let holding = 0; holding < 2; holding++) {
      const lost = proxy.loseReplyTo(renewals);
      await locks.withLock('k', { ttl: 900 }, async (lease) => {
        await lost;
        await sleep(1200);
        expect(lease.held).toBe(true);
      });
    }
    expect(await redis.keys()).toEqual([]);
  });

  it('comes through a pause of Redis that is longer than commandTimeout [BC-16]', async () => {
    const { locks } = await openLocks({
      connection: redis.url,
      commandTimeout: 200,
    });
    await locks.withLock('k', { ttl: 2000 }, async (lease) => {
      await redis.client.client('PAUSE', 1400, 'ALL');
      await waitUntil(() => lease.remaining < 800, 'not renewed in the pause');
      await waitUntil(() => lease.remaining > 1500, 'renewed');
      await sleep(2000);
      expect(lease.held).toBe(true);
    });
  });

  it('never takes a lock again that was lost [BC-17]', async () => {
    const [mine, other] = await Promise.all([
      openLocks({ connection: proxy.url }),
      openLocks({ connection: redis.url }),
    ]);
    const lease = await mine.locks.acquire('k', { ttl: 500 });
    let aborts = 0;
    lease.signal.addEventListener('abort', () => aborts++);
    const held = proxy.hold('requests');
    await waitUntil(() => held.pieces > 0, 'a renewal is under way');
    await other.locks.withLock('k', () => undefined);
    await commands.reset();
    held.letGo();
    await waitUntil(async () => (await commands.scripts()) > 0, 'it arrived');
    expect(await redis.keys()).toEqual([]);
    expect(lease.signal.reason).toMatchObject({ code: 'LOCK_LOST' });
    expect(await lease.release()).toBe(false);
    expect(aborts).toBe(1);
  });

  it('stops when the lock is not ours any more, and does not touch the key of another', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire('k', { ttl: 300 });
    await redis.client.set('lock:k', 'foreign');
    await waitUntil(() => lease.signal.aborted, 'told', 250);
    await commands.reset();
    await sleep(400);
    expect(await commands.scripts()).toBe(0);
    expect(await redis.client.pttl('lock:k')).toBe(-1);
  });
});

describe('a key deleted under its holder', () => {
  it('aborts the signal at the next renewal, and the call ends with the loss and its result', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    let aborted = 0;
    const section = locks.withLock('k', { ttl: 600 }, async (lease) => {
      await redis.client.del('lock:k');
      aborted = (await timed(() => once(lease.signal, 'abort'))).took;
      expect(lease.held).toBe(false);
      expect(() => lease.assertHeld()).toThrow('lost');
      return 'done';
    });
    const loss = { code: 'LOCK_LOST', key: 'k', result: 'done' };
    await expect(section).rejects.toMatchObject(loss);
    expect(aborted).toBeLessThan(400);
  });

  it('is passed over with onLost: ignore', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const options = { ttl: 300, onLost: 'ignore' as const };
    const section = locks.withLock('k', options, async (lease) => {
      await redis.client.del('lock:k');
      await waitUntil(() => lease.signal.aborted, 'told');
      return 'done';
    });
    expect(await section).toBe('done');
  });
});
