import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { startRedisProcess } from '../../tools/redis/index.mjs';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedisProcess } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const master = useRedisProcess(['--repl-diskless-sync-delay', '0']);
let replica: Awaited<ReturnType<typeof startRedisProcess>>;
let client: Redis;

beforeAll(async () => {
  replica = await startRedisProcess({ args: ['--replicaof', '127.0.0.1', `${master.port}`] });
  client = new Redis(replica.url);
  await waitUntil(async () => (await client.info('replication')).includes('master_link_status:up'), 'the replica');
}, 60_000);

afterAll(async () => {
  client.disconnect();
  process.kill(replica.pid, 'SIGCONT');
  await replica.stop();
});

const open = async (module = {}) => (await openLocks({ connection: master.url, ...module })).locks;

const isHeld = async (key: string): Promise<boolean> => (await master.client.exists(`lock:${key}`)) === 1;

/** The replica is there for the server, and answers nothing. */
async function withFrozenReplica<T>(work: () => Promise<T>): Promise<T> {
  process.kill(replica.pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(replica.pid, 'SIGCONT');
  }
}

describe('replicas: { min, timeout }', () => {
  it('enters when the replica has the lock', async () => {
    const locks = await open();
    await locks.withLock('k', { replicas: { min: 1 } }, async (lease) => {
      expect(await client.get('lock:k')).toBe(lease.token);
    });
    const permit = await locks.acquireSemaphore('s', 2, { replicas: { min: 1 } });
    expect(await client.zscore('semaphore:s', permit.token)).not.toBeNull();
    await permit.release();
    expect(await master.keys()).toEqual([]);
  });

  it.each([
    ['a lock', (locks: Awaited<ReturnType<typeof open>>) => locks.acquire('k', { replicas: { min: 1, timeout: 100 } })],
    [
      'a semaphore',
      (locks: Awaited<ReturnType<typeof open>>) =>
        locks.acquireSemaphore('k', 1, { replicas: { min: 1, timeout: 100 }, minHold: '1m' }),
    ],
  ])('gives %s back when no replica has it in time', async (_, acquire) => {
    const locks = await open();
    const error = await withFrozenReplica(() => acquire(locks).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ code: 'LOCK_UNAVAILABLE', message: expect.stringContaining('0 of 1 replicas') });
    await waitUntil(async () => (await master.keys()).length === 0, 'nothing to be left');
  });

  it('is not met by more replicas than there are', async () => {
    const locks = await open({ defaults: { replicas: { min: 2, timeout: 100 } } });
    await expect(locks.withLock('k', () => 'entered')).rejects.toThrow('1 of 2 replicas');
    expect(await locks.withLock('k', { replicas: { min: 1 } }, () => 'entered')).toBe('entered');
  });

  it('looks at the write of the new owner after a hand-off, not at that of the releaser', async () => {
    const [mine, theirs] = [await open(), await open()];
    const held = await mine.acquire('k');
    const next = theirs
      .acquire('k', { wait: '1m', replicas: { min: 1, timeout: 100 } })
      .catch((thrown: unknown) => thrown);
    await new LockState(master, 'k').untilWaiting(1);
    // It has asked before, so that its own connection has written and been answered for.
    await theirs.withLock('other', { replicas: { min: 1 } }, () => undefined);
    const error = await withFrozenReplica(async () => {
      await held.release();
      return next;
    });
    expect(error).toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    await waitUntil(async () => (await master.keys()).length === 0, 'nothing to be left');
  });

  it('does not hold up the commands of others, and many share one answer', async () => {
    const locks = await open();
    await locks.withLock('first', { replicas: { min: 1 } }, () => undefined);
    await master.client.config('RESETSTAT');
    const all = Array.from({ length: 50 }, (_, i) => locks.withLock(`k${i}`, { replicas: { min: 1 } }, () => i));
    expect(await Promise.all(all)).toHaveLength(50);
    expect(await master.calls('wait')).toBeLessThan(25);
    await withFrozenReplica(async () => {
      const stuck = locks.acquire('k', { replicas: { min: 1, timeout: '30s' } }).catch((thrown: unknown) => thrown);
      await waitUntil(() => isHeld('k'), 'the grant');
      expect(await locks.withLock('free', () => 'entered')).toBe('entered');
      await master.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      expect(await stuck).toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    });
    await waitUntil(async () => (await master.keys()).length === 0, 'nothing to be left');
  });

  it('tells who asks for little while others wait for more than there is', async () => {
    const locks = await open();
    const failed = (thrown: unknown) => thrown;
    const much = [3, 4].map((min) => locks.acquire(`k${min}`, { replicas: { min, timeout: '30s' } }).catch(failed));
    await waitUntil(async () => (await isHeld('k3')) && (await isHeld('k4')), 'the grants');
    expect(await locks.withLock('k', { replicas: { min: 1, timeout: 5000 } }, () => 'entered')).toBe('entered');
    await withFrozenReplica(async () => {
      const little = { replicas: { min: 1, timeout: 100 } };
      expect(await locks.acquire('k', little).catch(failed)).toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    });
    await master.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    for (const one of await Promise.all(much)) expect(one).toMatchObject({ code: 'LOCK_UNAVAILABLE' });
  }, 20_000);

  it('is asked once for a turn: what is passed on within a process has been confirmed', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    const replicas = { min: 1, timeout: 1_000 };
    const first = await locks.acquire('k', { replicas });
    const waiting = [1, 2, 3].map((i) => locks.withLock('k', { replicas }, () => i));
    await master.client.config('RESETSTAT');
    await first.release();
    expect(await Promise.all(waiting)).toEqual([1, 2, 3]);
    expect(await master.calls('wait')).toBe(0);
  });

  it('does not pass on what no replica has confirmed', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    const replicas = { min: 1, timeout: 100 };
    const settled = await withFrozenReplica(() =>
      Promise.allSettled([1, 2, 3].map((i) => locks.withLock('k', { replicas, wait: '1m' }, () => i))),
    );
    for (const one of settled) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'LOCK_UNAVAILABLE' } });
    }
    await waitUntil(async () => (await master.keys()).length === 0, 'nothing to be left');
  });

  it('gives back what the caller no longer wants when the replica has answered', async () => {
    const locks = await open();
    const reason = new Error('enough');
    const controller = new AbortController();
    const options = { signal: controller.signal, replicas: { min: 1, timeout: 200 } };
    await withFrozenReplica(async () => {
      const acquired = locks.acquire('k', options).catch((thrown: unknown) => thrown);
      await waitUntil(() => isHeld('k'), 'the grant');
      controller.abort(reason);
      process.kill(replica.pid, 'SIGCONT');
      expect(await acquired).toBe(reason);
    });
    expect(await master.keys()).toEqual([]);
  });

  it('has a grant that a failover to the replica does not forget', async () => {
    const locks = await open();
    const lease = await locks.acquire('k', { ttl: '1m', replicas: { min: 1 } });
    await client.replicaof('NO', 'ONE');
    const promoted = (await openLocks({ connection: replica.url })).locks;
    expect(await promoted.tryAcquire('k')).toBeNull();
    expect((await promoted.inspect('k')).holders[0]?.token).toBe(lease.token);
    await client.replicaof('127.0.0.1', `${master.port}`);
    await lease.release();
  });
});
