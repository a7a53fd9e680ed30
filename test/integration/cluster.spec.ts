import { describe, expect, it } from '@jest/globals';
import { Cluster } from 'ioredis';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import type { LockService } from 'nestjs-redis-lock';
import { closeAfterTest } from '../helpers/close-after-test.js';
import { openLocks } from '../helpers/open-locks.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { useCluster } from '../helpers/use-cluster.js';
import { waitUntil } from '../helpers/wait-until.js';
import { ALL_QUEUE } from '../helpers/ways.js';

const cluster = useCluster({ masters: 3 });

/** So rarely that only a message can be what wakes a waiter up. */
const RARE_POLLS = { handoffTtl: 30_000, pollInterval: 60_000 };

/** Rights of a user for a Cluster, as the README lists them. */
const README_RIGHTS = (/^In a Cluster: (.*)$/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '')
  .replaceAll('`', '')
  .replace(/\.$/, '')
  .split(/[, ]+/);

const open = async (options = {}): Promise<LockService> => {
  const { locks } = await openLocks({ connection: cluster.connection, ...RARE_POLLS, ...options });
  return locks;
};

const untilWaiting = (locks: LockService, name: string, count: number) =>
  waitUntil(async () => (await locks.inspect(name)).waiters.length === count, `${count} waiters for ${name}`);

describe('In a Cluster, on every node', () => {
  it('a lock is taken, excludes, and leaves nothing behind', async () => {
    const [one, other] = [await open(), await open()];
    for (const name of cluster.names()) {
      const lease = await one.acquire(name);
      expect(await other.tryAcquire(name)).toBeNull();
      expect((await other.inspect(name)).holders).toMatchObject([{ token: lease.token }]);
      expect(await lease.release()).toBe(true);
    }
    expect(await cluster.keys()).toEqual([]);
  });

  it('a lock and a permit are handed over by message, in order, between processes', async () => {
    const clients = [await open(ALL_QUEUE), await open(ALL_QUEUE), await open(ALL_QUEUE)] as const;
    for (const name of cluster.names()) {
      const held = [await clients[0].acquire(name), await clients[0].acquireSemaphore(name, 1)];
      const order: string[] = [];
      const waits: Promise<void>[] = [];
      for (const [i, locks] of [...clients, ...clients].entries()) {
        const note = (kind: string) => () => void order.push(`${kind} ${i}`);
        waits.push(locks.withLock(name, { wait: 20_000 }, note('lock')));
        await untilWaiting(locks, name, i + 1);
        waits.push(locks.withSemaphore(name, 1, { wait: 20_000 }, note('permit')));
        await waitUntil(
          async () => (await locks.inspect(name, { kind: 'semaphore' })).waiters.length === i + 1,
          'a waiter for a permit',
        );
      }
      for (const lease of held) expect(await lease.release()).toBe(true);
      await Promise.all(waits);
      const numbers = [0, 1, 2, 3, 4, 5];
      expect(order.filter((entry) => entry.startsWith('lock'))).toEqual(numbers.map((i) => `lock ${i}`));
      expect(order.filter((entry) => entry.startsWith('permit'))).toEqual(numbers.map((i) => `permit ${i}`));
    }
    expect(await cluster.keys()).toEqual([]);
  });

  it('a lease is renewed', async () => {
    const locks = await open();
    const leases = await Promise.all(cluster.names().map((name) => locks.acquire(name, { ttl: 300 })));
    await waitUntil(() => Promise.resolve(leases.every(({ signal }) => !signal.aborted)), 'leases');
    const until = Date.now() + 1500;
    await waitUntil(() => Promise.resolve(Date.now() > until), 'several leases later');
    expect(leases.map(({ held }) => held)).toEqual([true, true, true]);
    for (const lease of leases) expect(await lease.release()).toBe(true);
  });

  it('a lock is released by force, and its holder told', async () => {
    const [one, other] = [await open(), await open()];
    for (const name of cluster.names()) {
      // A process listens for a lock as soon as it had to wait for it.
      const first = await other.acquire(name);
      const waiting = one.acquire(name);
      await untilWaiting(other, name, 1);
      await first.release();
      const lease = await waiting;
      expect(await other.forceRelease(name)).toBe(true);
      await waitUntil(() => Promise.resolve(lease.signal.aborted), 'the holder is told');
    }
    expect(await cluster.keys()).toEqual([]);
  });
});

describe('In a Cluster', () => {
  it('several keys in different slots are held together', async () => {
    const [one, other] = [await open(), await open()];
    const names = cluster.names();
    await one.withLock(names, async ({ keys }) => {
      expect([...keys].sort()).toEqual([...names].sort());
      for (const name of names) expect(await other.tryAcquire(name)).toBeNull();
    });
    expect(await cluster.keys()).toEqual([]);
  });

  it('names with a hash tag keep it: locks can be put beside the data they guard [BC-28]', async () => {
    const [one, other] = [await open(), await open()];
    for (const name of ['order:{42}', '{a}{b}', '{}', '{}x', '}x', 'a}b{c']) {
      const held = await one.acquire(name);
      const waiting = other.withLock(name, () => 'entered');
      await untilWaiting(other, name, 1);
      expect(await held.release()).toBe(true);
      expect(await waiting).toBe('entered');
    }
    expect(await cluster.keys()).toEqual([]);
  });

  it('a client that is handed in is only copied, with its key prefix', async () => {
    const connection = new Cluster(cluster.connection.nodes, { keyPrefix: 'app:', scaleReads: 'slave' });
    closeAfterTest({ close: async () => void (await connection.quit()) });
    const { locks, close } = await openLocks({ connection, ...RARE_POLLS });
    const other = await open();
    const [name] = cluster.names() as [string];
    const held = await locks.acquire(name);
    expect(await cluster.keys()).toEqual([`app:lock:${name}`]);
    await using _other = await other.acquire(name);
    const waiting = locks.withLock(name, { reentrant: true }, () => 'entered');
    expect(await held.release()).toBe(true);
    expect(await waiting).toBe('entered');
    await close();
    await connection.set('x', 1);
    expect(await connection.get('x')).toBe('1');
  });

  it('a user needs no more rights than the README lists [BC-38]', async () => {
    const rules = ['reset', 'on', '>secret', ...README_RIGHTS];
    for (const node of cluster.all) await cluster.client(node).acl('SETUSER', 'app', ...rules);
    const logger = new RecordingLogger();
    const redisOptions = { username: 'app', password: 'secret' };
    const [one, other] = [
      await open({ logger, connection: { ...cluster.connection, redisOptions } }),
      await open({ logger, connection: { ...cluster.connection, redisOptions } }),
    ];
    for (const name of cluster.names()) {
      const held = await one.acquire(name, { ttl: 600 });
      const waiting = other.acquire(name);
      await untilWaiting(one, name, 1);
      await held.extend(1000);
      expect(await held.release()).toBe(true);
      await waiting;
      expect(await one.forceRelease(name)).toBe(true);
    }
    expect(logger.lines).toEqual([]);
  });

  it('without the right to the channels, waiters poll, with one warning', async () => {
    const rules = ['reset', 'on', '>secret', '+@all', '~*', 'resetchannels'];
    for (const node of cluster.all) await cluster.client(node).acl('SETUSER', 'app', ...rules);
    const logger = new RecordingLogger();
    const connection = { ...cluster.connection, redisOptions: { username: 'app', password: 'secret' } };
    const locks = await open({ logger, connection, pollInterval: 3000 });
    const other = await open();
    for (const name of cluster.names()) {
      const held = await other.acquire(name);
      const waiting = locks.acquire(name);
      await untilWaiting(other, name, 1);
      await held.release();
      await (await waiting).release();
    }
    expect(logger.warnings).toEqual([expect.stringMatching(/cannot push .* SSUBSCRIBE and SPUBLISH on wake:\*/)]);
  });

  it('whose name leads nowhere, calls fail as unavailable with the reason, with one line in the log', async () => {
    const logger = new RecordingLogger();
    const { locks } = await openLocks({ connection: { nodes: [{ host: 'nowhere.invalid', port: 1 }] }, logger });
    for (const wait of [0, 200]) {
      await expect(locks.acquire('k', { wait })).rejects.toMatchObject({
        code: 'LOCK_UNAVAILABLE',
        cause: { message: expect.stringMatching(/nowhere\.invalid/) },
      });
    }
    expect(logger.warnings).toEqual([expect.stringMatching(/not reachable \(cluster\): .*nowhere\.invalid/)]);
  });

  it('that refuses the password, nothing tells it: not the error, however deep, nor the log', async () => {
    const SECRET = 'do-not-tell';
    const rules = ['reset', 'on', '>secret', '+@all', '~*', '&*'];
    for (const node of cluster.all) await cluster.client(node).acl('SETUSER', 'app', ...rules);
    const logger = new RecordingLogger();
    const redisOptions = { username: 'app', password: SECRET };
    const { locks } = await openLocks({ connection: { ...cluster.connection, redisOptions }, logger });
    const error = await locks.acquire('k', { wait: 300 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    const all = inspect({ error, lines: logger.lines }, { depth: Infinity, showHidden: true });
    expect(all).not.toContain(SECRET);
    expect(logger.warnings.length).toBeGreaterThan(0);
  });

  it('that is not there, calls fail as unavailable, with one line in the log', async () => {
    const logger = new RecordingLogger();
    const { locks } = await openLocks({ connection: { nodes: [{ host: '127.0.0.1', port: 1 }] }, logger });
    for (const wait of [0, 200]) {
      await expect(locks.acquire('k', { wait })).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    }
    await expect(locks.inspect('k')).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    expect(logger.warnings).toEqual([expect.stringContaining('Redis is not reachable (cluster): ')]);
  });
});
