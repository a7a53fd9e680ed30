import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { clusterSlot } from '../helpers/cluster-slot.js';
import { openLocks } from '../helpers/open-locks.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { untilRenewed } from '../helpers/until-renewed.js';
import { useCluster, type Node } from '../helpers/use-cluster.js';
import { waitUntil } from '../helpers/wait-until.js';

const cluster = useCluster({ masters: 3, replicas: 3 });

const TIMES = { commandTimeout: 500, handoffTtl: 1000, pollInterval: 1000 };

const open = async (options = {}): Promise<LockService> => {
  const { locks } = await openLocks({ connection: cluster.connection, ...TIMES, ...options });
  return locks;
};

const NAME = '{k}';
const NEIGHBOUR = '{k}neighbour';
const SLOT = clusterSlot(`lock:${NAME}`);

let master: Node;
let replica: Node;

/** Every master has a replica that follows it. */
beforeEach(async () => {
  await cluster.untilServing();
  master = await cluster.masterOf(SLOT);
  await waitUntil(async () => {
    const followers = await master.cli('cluster', 'replicas', master.id);
    replica = cluster.all.find(({ id }) => followers.startsWith(id)) as Node;
    const state = replica && (await replica.cli('info', 'replication'));
    return Boolean(state?.includes('master_link_status:up'));
  }, 'a replica that follows');
  await master.cli('flushall');
});

const untilReplaced = (): Promise<void> =>
  waitUntil(async () => (await cluster.masterOf(SLOT)) !== master, 'another master');

const untilWaiting = (locks: LockService, count: number): Promise<void> =>
  waitUntil(async () => (await locks.inspect(NAME)).waiters.length === count, `${count} waiters`);

describe('A master of a Cluster', () => {
  it('that steps down takes no lock along, and the waiters are handed over', async () => {
    const [one, other] = [await open(), await open()];
    const held = await one.acquire(NAME, { ttl: 2000 });
    const waiting = other.acquire(NAME, { wait: 30_000 });
    await untilWaiting(one, 1);
    await replica.cli('cluster', 'failover');
    await untilReplaced();
    await untilRenewed(held);
    expect(await held.release()).toBe(true);
    const next = await waiting;
    expect(next.fence).toBeGreaterThan(held.fence);
    expect(await next.release()).toBe(true);
  });

  describe('that stands still', () => {
    afterEach(() => void process.kill(master.pid, 'SIGCONT'));

    it('is replaced: held locks go on, waits end well, and the log has one line for each connection', async () => {
      const logger = new RecordingLogger();
      const [one, other] = [await open({ logger }), await open()];
      const held = await one.acquire(NAME, { ttl: 20_000 });
      const waiting = other.acquire(NAME, { wait: 60_000 });
      await untilWaiting(one, 1);
      process.kill(master.pid, 'SIGSTOP');
      await expect(one.acquire(NAME, { wait: 0, reentrant: false })).rejects.toMatchObject({
        code: 'LOCK_UNAVAILABLE',
      });
      await waitUntil(
        () =>
          held.extend(20_000).then(
            () => true,
            () => false,
          ),
        'the new master answers',
      );
      expect(held.held).toBe(true);
      expect(await held.release()).toBe(true);
      expect(await (await waiting).release()).toBe(true);
      const outages = logger.warnings.filter((line) => line.includes('not reachable'));
      expect(new Set(outages).size).toBe(outages.length);
    });
  });

  it('that was cut off from its replica forgets a lock when it dies; its holder is told and its fence outdone [BC-59]', async () => {
    const [one, other] = [await open(), await open()];
    // Its logins are refused from now on, so nothing reaches it any more.
    await replica.cli('config', 'set', 'masterauth', 'wrong');
    await replica.cli('client', 'kill', 'type', 'master');
    await waitUntil(async () => (await replica.cli('info', 'replication')).includes('link_status:down'), 'the cut');
    const lost = await one.acquire(NAME, { ttl: 3000 });
    const replicas = { min: 1, timeout: 300 };
    await expect(other.acquire(NEIGHBOUR, { replicas })).rejects.toMatchObject({
      code: 'LOCK_UNAVAILABLE',
      message: expect.stringContaining('reached 0 of 1 replicas'),
    });
    await replica.cli('cluster', 'failover', 'takeover');
    await untilReplaced();
    const second = await other.acquire(NAME, { wait: 30_000 });
    await waitUntil(() => Promise.resolve(lost.signal.aborted), 'the first holder is told');
    expect(lost.signal.reason).toMatchObject({ code: 'LOCK_LOST' });
    expect(lost.held).toBe(false);
    expect(second.fence).toBeGreaterThan(lost.fence);
    expect(second.held).toBe(true);
    await second.release();
    await replica.cli('config', 'set', 'masterauth', '');
  });
});

describe('All nodes of a Cluster', () => {
  it('restarted twice push again afterwards, each message once [BC-60]', async () => {
    const logger = new RecordingLogger();
    const [one, other] = [await open({ logger }), await open()];
    await one.withLock(NAME, () => undefined);
    for (let round = 0; round < 2; round++) {
      for (const node of cluster.all) await node.cli('debug', 'restart').catch(() => '');
      await cluster.untilServing();
      await waitUntil(() => one.withLock(NAME, () => true).catch(() => false), 'locks are given again');
      // As soon as it is told by message, the hand-off takes no poll.
      await waitUntil(async () => {
        const held = await one.acquire(NAME, { wait: 5000 });
        const waiting = other.acquire(NAME, { wait: 20_000 });
        await untilWaiting(one, 1);
        const marks = await cluster.client(await cluster.masterOf(SLOT)).hgetall(`seen:lock:${NAME}`);
        const pushed = Object.entries(marks).some(([client, mark]) => client.includes('-') && Number(mark) > 0);
        await held.release();
        await (await waiting).release();
        return pushed;
      }, 'waiters that are pushed');
    }
    expect(await cluster.keys()).toEqual([]);
    expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('gone make calls fail as unavailable, and nobody waits longer than he said', async () => {
    const locks = await open();
    await locks.withLock(NAME, () => undefined);
    await Promise.all(cluster.all.map((node) => node.stop()));
    const started = Date.now();
    await expect(locks.acquire(NAME, { wait: 1000 })).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    await expect(locks.acquire(NAME, { wait: 0 })).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    expect(Date.now() - started).toBeLessThan(5000);
  });
});
