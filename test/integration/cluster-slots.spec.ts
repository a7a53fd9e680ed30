import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { clusterSlot } from '../helpers/cluster-slot.js';
import { openLocks } from '../helpers/open-locks.js';
import { untilRenewed } from '../helpers/until-renewed.js';
import { useCluster, type Node } from '../helpers/use-cluster.js';
import { waitUntil } from '../helpers/wait-until.js';

const cluster = useCluster({ masters: 2 });
const NAME = 'moving';
const SLOT = clusterSlot(`lock:${NAME}`);

let source: Node;
let target: Node;
beforeEach(async () => {
  source = await cluster.masterOf(SLOT);
  target = cluster.servers.masters.find((node) => node !== source) as Node;
});

const open = async (options = {}): Promise<LockService> => {
  const { locks } = await openLocks({ connection: cluster.connection, ...options });
  return locks;
};

const untilWaiting = (locks: LockService, count: number) =>
  waitUntil(async () => (await locks.inspect(NAME)).waiters.length === count, `${count} waiters`);

describe('A slot that goes to another node [BC-62]', () => {
  it('takes a held and queued lock along: renewed, handed over in order, released', async () => {
    const [holder, ...others] = [await open(), await open(), await open()];
    const held = await holder.acquire(NAME, { ttl: 900 });
    const order: number[] = [];
    const waits: Promise<unknown>[] = [];
    for (const [i, locks] of others.entries()) {
      waits.push(locks.withLock(NAME, { wait: 30_000 }, () => order.push(i)));
      await untilWaiting(holder, i + 1);
    }
    await cluster.move(SLOT, source, target);
    await untilRenewed(held);
    expect(await held.release()).toBe(true);
    await Promise.all(waits);
    expect(order).toEqual([0, 1]);
    expect(await cluster.keys()).toEqual([]);
  });

  it('goes back to pushing there: the next hand-off needs no poll', async () => {
    const rarely = { handoffTtl: 30_000, pollInterval: 60_000 };
    const [one, other] = [await open(rarely), await open(rarely)];
    for (const [from, to] of [
      [source, target],
      [target, source],
    ] as const) {
      const held = await one.acquire(NAME);
      const waiting = other.acquire(NAME, { wait: 30_000 });
      await untilWaiting(one, 1);
      await cluster.move(SLOT, from, to);
      // The subscription ended with the move; the process looks by itself then.
      await waitUntil(async () => {
        return ((await cluster.client(to).call('PUBSUB', 'SHARDCHANNELS')) as string[]).length > 0;
      }, 'a subscription at the new node');
      await held.release();
      await (await waiting).release();
    }
    expect(await cluster.keys()).toEqual([]);
  });

  it('keeps the order when the lock is released before the processes are told of anything there', async () => {
    const [holder, ...others] = [await open(), await open(), await open(), await open()];
    for (let round = 0; round < 4; round++) {
      const held = await holder.acquire(NAME);
      const order: number[] = [];
      const waits: Promise<unknown>[] = [];
      for (const [i, locks] of others.entries()) {
        waits.push(locks.withLock(NAME, { wait: 30_000 }, () => order.push(i)));
        await untilWaiting(holder, i + 1);
      }
      await cluster.move(SLOT, ...(round % 2 === 0 ? ([source, target] as const) : ([target, source] as const)));
      await holder.inspect(NAME);
      expect(await held.release()).toBe(true);
      await Promise.all(waits);
      expect({ round, order }).toEqual({ round, order: [0, 1, 2] });
    }
  });

  it('does not fail a try, a wait, an inspection or a forced release on its way', async () => {
    const [one, other] = [await open(), await open()];
    await one.withLock(NAME, () => undefined);
    await cluster.move(SLOT, source, target);
    const lease = await one.acquire(NAME, { wait: 0 });
    expect(await other.tryAcquire(NAME)).toBeNull();
    await cluster.move(SLOT, target, source);
    expect(await other.forceRelease(NAME)).toBe(true);
    expect(await lease.release()).toBe(false);
    await using permit = await other.acquireSemaphore(NAME, 1, { wait: 0 });
    expect(permit.held).toBe(true);
  });

  it('does not stop renewals half way, where scripts with several keys are told to try again', async () => {
    const locks = await open();
    const held = await locks.acquire(NAME, { ttl: 900 });
    const permit = await locks.acquireSemaphore(NAME, 1, { ttl: 900 });
    const busy = (await open()).acquire(NAME, { wait: 1000 });
    await cluster.beginMove(SLOT, source, target);
    await untilRenewed(held);
    await cluster.moveKeys(SLOT, source, target);
    await untilRenewed(held);
    await untilRenewed(permit);
    await expect(busy).rejects.toMatchObject({ code: expect.stringMatching(/LOCK_(BUSY|UNAVAILABLE)/) });
    await cluster.endMove(SLOT, target);
    expect(await held.release()).toBe(true);
    expect(await permit.release()).toBe(true);
    await cluster.move(SLOT, target, source);
  });

  it('leaves nothing of a caller who gave up while his keys were apart', async () => {
    const [holder, caller] = [await open(), await open()];
    const held = await holder.acquire(NAME);
    await caller.withLock(NAME, { wait: 0 }, () => undefined).catch(() => undefined);
    await cluster.beginMove(SLOT, source, target);
    const controller = new AbortController();
    const waiting = caller.acquire(NAME, { wait: 30_000, signal: controller.signal }).catch(() => 'gave up');
    const tried = caller.acquire(NAME, { wait: 300 }).catch(({ code }: { code: string }) => code);
    expect(await tried).toMatch(/LOCK_(BUSY|UNAVAILABLE)/);
    controller.abort();
    expect(await waiting).toBe('gave up');
    await cluster.moveKeys(SLOT, source, target);
    await cluster.endMove(SLOT, target);
    expect(await held.release()).toBe(true);
    await waitUntil(async () => (await cluster.keys()).length === 0, 'nothing to be left');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await cluster.keys()).toEqual([]);
    await cluster.move(SLOT, target, source);
  });

  it('is found by addresses of the application, where those of the nodes lead nowhere', async () => {
    const settings = [
      ['cluster-announce-hostname', 'nowhere.invalid'],
      ['cluster-preferred-endpoint-type', 'hostname'],
    ] as const;
    for (const node of cluster.all) {
      for (const [name, value] of settings) await node.cli('config', 'set', name, value);
    }
    const natMap = (address: string) => ({ host: '127.0.0.1', port: Number(address.split(':').at(-1)) });
    const [one, other] = [
      await open({ connection: { ...cluster.connection, natMap } }),
      await open({ connection: { ...cluster.connection, natMap } }),
    ];
    const held = await one.acquire(NAME);
    const waiting = other.acquire(NAME, { wait: 30_000 });
    await untilWaiting(one, 1);
    await cluster.move(SLOT, source, target);
    expect(await held.release()).toBe(true);
    expect(await (await waiting).release()).toBe(true);
    for (const node of cluster.all) await node.cli('config', 'set', 'cluster-preferred-endpoint-type', 'ip');
  });

  it('back and forth under load: nobody is inside with somebody else, and nothing is left', async () => {
    const clients = await Promise.all([open(), open(), open()]);
    let inside = 0;
    let overlaps = 0;
    let entries = 0;
    let lastFence = 0;
    let moving = true;
    const work = clients.flatMap((locks) =>
      Array.from({ length: 3 }, async () => {
        while (moving) {
          await locks.withLock(NAME, { wait: 30_000 }, async ({ fence }) => {
            overlaps += inside;
            expect(fence).toBeGreaterThan(lastFence);
            lastFence = fence;
            inside++;
            entries++;
            await new Promise((resolve) => setTimeout(resolve, 5));
            inside--;
          });
        }
      }),
    );
    for (let i = 0; i < 6; i++) {
      const before = entries;
      await cluster.move(SLOT, ...(i % 2 === 0 ? ([source, target] as const) : ([target, source] as const)));
      await waitUntil(() => Promise.resolve(entries > before + 10), 'more entries');
    }
    moving = false;
    await Promise.all(work);
    expect(overlaps).toBe(0);
    expect(await cluster.keys()).toEqual([]);
  });
});
