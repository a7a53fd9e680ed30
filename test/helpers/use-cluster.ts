import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Redis } from 'ioredis';
import { startCluster } from '../../tools/redis/start-cluster.mjs';
import { clusterSlot } from './cluster-slot.js';
import { waitUntil } from './wait-until.js';

type Servers = Awaited<ReturnType<typeof startCluster>>;
export type Node = Servers['masters'][number];

/** A Redis Cluster of its own for a spec file, empty before each test. */
export class ClusterUnderTest {
  servers!: Servers;
  private readonly clients = new Map<number, Redis>();

  /** As `RedisLockModule` takes it; the others are found from the first. */
  get connection(): { nodes: { host: string; port: number }[] } {
    return { nodes: this.all.slice(0, 3).map(({ host, port }) => ({ host, port })) };
  }

  get all(): Node[] {
    return [...this.servers.masters, ...this.servers.replicas];
  }

  /** A plain client of one node. */
  client({ port }: Node): Redis {
    const known = this.clients.get(port);
    if (known) return known;
    const client = new Redis(port, '127.0.0.1');
    client.on('error', () => undefined);
    this.clients.set(port, client);
    return client;
  }

  /** The node that has a slot, in the eyes of one of those that answer. */
  async masterOf(slot: number): Promise<Node> {
    for (const asked of this.all) {
      const slots = await asked.cli('cluster', 'slots').catch(() => '');
      const shares = slots.split('\n').filter((line) => line !== '');
      for (let i = 0; i + 3 < shares.length; i++) {
        const [first, last, , port] = shares.slice(i, i + 4).map(Number);
        const node = this.all.find((one) => one.port === port);
        if (node && slot >= Number(first) && slot <= Number(last)) return node;
      }
    }
    throw new Error(`nobody has slot ${slot}`);
  }

  /** All keys of all masters, sorted. */
  async keys(): Promise<string[]> {
    const replies = await Promise.all(this.servers.masters.map((node) => this.client(node).keys('*')));
    return replies.flat().sort();
  }

  /** Names of locks, one in the slots of each master. */
  names(): string[] {
    const { length } = this.servers.masters;
    const share = (name: string): number => Math.floor((clusterSlot(`lock:${name}`) * length) / 16_384);
    const all = Array.from({ length: 1000 }, (_, i) => `k${i}`);
    return this.servers.masters.map((_, i) => all.find((name) => share(name) === i) as string);
  }

  /** Says on both sides that a slot is on its way. */
  async beginMove(slot: number, from: Node, to: Node): Promise<void> {
    await to.cli('cluster', 'setslot', `${slot}`, 'importing', from.id);
    await from.cli('cluster', 'setslot', `${slot}`, 'migrating', to.id);
  }

  async moveKeys(slot: number, from: Node, to: Node): Promise<void> {
    for (;;) {
      const keys = (await from.cli('cluster', 'getkeysinslot', `${slot}`, '100')).split('\n').filter(Boolean);
      if (keys.length === 0) return;
      await from.cli('migrate', to.host, `${to.port}`, '', '0', '5000', 'keys', ...keys);
    }
  }

  async endMove(slot: number, to: Node): Promise<void> {
    for (const node of [to, ...this.servers.masters.filter((other) => other !== to)]) {
      await node.cli('cluster', 'setslot', `${slot}`, 'node', to.id);
    }
  }

  async move(slot: number, from: Node, to: Node): Promise<void> {
    await this.beginMove(slot, from, to);
    await this.moveKeys(slot, from, to);
    await this.endMove(slot, to);
  }

  async untilServing(nodes = this.all): Promise<void> {
    for (const node of nodes) {
      await waitUntil(
        async () => (await node.cli('cluster', 'info').catch(() => '')).includes('cluster_state:ok'),
        `node ${node.port} serves`,
      );
    }
  }

  async stop(): Promise<void> {
    for (const client of this.clients.values()) client.disconnect();
    await this.servers.stop();
  }
}

export function useCluster(shape: { masters: number; replicas?: number }): ClusterUnderTest {
  const cluster = new ClusterUnderTest();
  beforeAll(async () => {
    cluster.servers = await startCluster(shape);
  }, 60_000);
  beforeEach(async () => {
    await Promise.all(
      cluster.servers.masters.map((node) =>
        cluster
          .client(node)
          .flushall()
          .catch(() => undefined),
      ),
    );
  });
  afterAll(() => cluster.stop());
  return cluster;
}
