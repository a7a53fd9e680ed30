import { describe, expect, it } from '@jest/globals';
import { clusterSlot } from '../helpers/cluster-slot.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { useCluster } from '../helpers/use-cluster.js';

const cluster = useCluster({ masters: 2, replicas: 2 });
const processEvents = useProcessEvents();

const replicas = { min: 1, timeout: 5000 };
const slotOf = (name: string): number => clusterSlot(`lock:${name}`);

describe('Replicas in a Cluster', () => {
  it('are those of the node that has the lock, also when another lock that was confirmed there has moved', async () => {
    const { locks } = await openLocks({ connection: cluster.connection });
    const [first, elsewhere] = cluster.servers.masters as [Node, Node];
    const [moving] = cluster.names() as [string];
    const staying = Array.from({ length: 1000 }, (_, i) => `s${i}`).filter(
      (name) => slotOf(name) < 8192 && slotOf(name) !== slotOf(moving),
    );
    await (await locks.acquire(moving, { replicas })).release();
    await cluster.move(slotOf(moving), first, elsewhere);
    // Different demands do not wait for each other, so each has a connection of its own.
    const demands = [5001, 5002, 5003].map((timeout, i) =>
      locks.acquire(staying[i] as string, { replicas: { min: 1, timeout } }),
    );
    const leases = await Promise.all([...demands, locks.acquire(moving, { replicas })]);
    expect(leases.map(({ held }) => held)).toEqual([true, true, true, true]);
    for (const lease of leases) expect(await lease.release()).toBe(true);
    expect(await cluster.keys()).toEqual([]);
    expect(processEvents.seen).toEqual([]);
  });
});

type Node = (typeof cluster.servers.masters)[number];
