import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks, type LockClient } from '../helpers/open-locks.js';
import { timed } from '../helpers/timed.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const state = new LockState(redis, 'k');
const commands = new CommandCount(redis);

let holder: LockClient;
let client: LockClient;

beforeEach(async () => {
  [holder, client] = await Promise.all([
    openLocks({ connection: redis.url }),
    openLocks({ connection: redis.url, defaults: { wait: '5s' } }),
  ]);
  await client.locks.inspect('k');
});

const busy = { code: 'LOCK_BUSY', key: 'k' };
const channels = () => redis.client.pubsub('CHANNELS', '*');

describe('wait: 0 [BC-36]', () => {
  it('takes a free lock, and is not replaced by the default', async () => {
    expect(await client.locks.withLock('k', { wait: 0 }, () => 'in')).toBe('in');
  });

  it.each(['lock', 'semaphore'] as const)(
    'rejects for a busy %s after one round trip, without a subscription',
    async (kind) => {
      const take = ({ locks }: LockClient) =>
        kind === 'lock' ? locks.acquire('k', { wait: 0 }) : locks.acquireSemaphore('k', 1, { wait: 0 });
      await take(holder);
      await take(client).catch(() => undefined);
      await commands.reset();
      const { took, error } = await timed(() => take(client));
      expect(error).toMatchObject(busy);
      expect(took).toBeLessThan(500);
      expect(await commands.scripts()).toBe(1);
      expect(await channels()).toEqual([]);
      expect(await redis.keys()).toEqual([`${kind}:k`]);
    },
  );

  it('gives null as tryAcquire, with one command', async () => {
    await holder.locks.acquire('k');
    await commands.reset();
    expect(await client.locks.tryAcquire('k')).toBeNull();
    expect(await commands.scripts()).toBe(1);
    expect(await channels()).toEqual([]);
  });
});

describe('a body', () => {
  it('is never entered while the lock is busy, however the call was made [BC-37]', async () => {
    await holder.locks.acquire('k');
    await holder.locks.acquireSemaphore('k', 1);
    let entered = 0;
    const body = () => void entered++;
    const { locks } = client;
    const calls = [0, 100].flatMap((wait) => [
      locks.withLock('k', { wait }, body),
      locks.withSemaphore('k', 1, { wait }, body),
      locks.withLock('k', { wait, onLost: 'ignore' }, body),
    ]);
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(busy)));
    expect(entered).toBe(0);
  });
});

describe('waiting', () => {
  it('takes no more than the time that was given', async () => {
    await holder.locks.acquire('k');
    const { took, error } = await timed(() => client.locks.acquire('k', { wait: 400 }));
    expect(error).toMatchObject(busy);
    expect(took).toBeGreaterThanOrEqual(395);
    expect(took).toBeLessThan(700);
  });

  it('has no cap on attempts [BC-38]', async () => {
    const eager = await openLocks({
      connection: redis.url,
      pollInterval: 100,
    });
    const held = await holder.locks.acquire('k', { ttl: 60_000 });
    const waiting = eager.locks.acquire('k', { wait: 20_000 });
    await state.untilWaiting(1);
    await commands.reset();
    await sleep(2500);
    expect(await commands.scripts()).toBeGreaterThan(10);
    expect(await state.waiters()).toBe(1);
    await held.release();
    expect((await waiting).held).toBe(true);
  });

  it('is not bound to the ttl of the holder, which renews, nor to its own [BC-39]', async () => {
    const ttl = 500;
    const start = performance.now();
    const section = holder.locks.withLock('k', { ttl }, () => sleep(2000));
    await sleep(50);
    const entered = () => performance.now() - start;
    const waiting = [5000, Infinity].map((wait) => client.locks.withLock('k', { ttl, wait }, entered));
    for (const at of await Promise.all(waiting)) {
      expect(at).toBeGreaterThan(1990);
      expect(at).toBeLessThan(2600);
    }
    await section;
  });
});

describe('the order of arrival', () => {
  it('holds for the waiters of a process whose hand-off lapsed while it was alive', async () => {
    const third = await openLocks({ connection: redis.url });
    const first = await holder.locks.acquire('k', { ttl: '1m' });
    const entered: string[] = [];
    const enter = (name: string, { locks }: LockClient, options = {}) =>
      locks.withLock('k', { wait: '20s', ...options }, () => void entered.push(name));
    // Its work outlasts the lease, which nobody renews.
    const overrun = client.locks.acquire('k', { wait: '20s', ttl: 600, renew: false });
    await state.untilWaiting(1);
    const sibling = enter('sibling', client);
    await state.untilWaiting(2);
    const other = enter('other', third);
    await state.untilWaiting(3);
    await first.release();
    const lease = await overrun;
    await waitUntil(() => !lease.held, 'lapsed');
    await waitUntil(async () => (await redis.client.exists('lock:k')) === 0, 'free');
    await holder.locks.tryAcquire('k');
    await Promise.all([sibling, other]);
    expect(entered).toEqual(['sibling', 'other']);
  });
});
