import { beforeEach, describe, expect, it } from '@jest/globals';
import { clusterSlot } from '../helpers/cluster-slot.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

// One node with all slots: it takes plain clients, and refuses scripts whose keys are in different slots.
const redis = useRedis(['--cluster-enabled', 'yes']);

beforeEach(async () => {
  const info = () => redis.client.call('CLUSTER', 'INFO');
  if (String(await info()).includes('cluster_slots_assigned:0')) {
    const slots = Array.from({ length: 16384 }, (_, slot) => slot);
    await redis.client.call('CLUSTER', 'ADDSLOTS', ...slots);
  }
  await waitUntil(async () => String(await info()).includes('cluster_state:ok'), 'the node serves its slots');
});

describe('A server in Cluster mode', () => {
  it('hashes keys as these tests compute it', async () => {
    for (const key of ['a', '{a}b', 'b{}{a}', '{{a}}', 'é{ü}', '']) {
      const slot = await redis.client.call('CLUSTER', 'KEYSLOT', key);
      expect({ key, slot }).toEqual({ key, slot: clusterSlot(key) });
    }
  });

  it('takes every script for names with braces: queue, hand over, release, inspect, force [BC-28]', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const other = await openLocks({ connection: redis.url });
    for (const name of ['order:{42}', '{a}{b}', '{}', '{}x', '}x', 'a}b{c']) {
      const held = await locks.acquire(name);
      const waiting = other.locks.acquire(name);
      await waitUntil(async () => {
        return (await locks.inspect(name)).waiters.length === 1;
      }, `a waiter for ${name}`);
      expect(await held.release()).toBe(true);
      await (await waiting).extend('20s');
      expect(await locks.forceRelease(name)).toBe(true);
      const permit = await locks.acquireSemaphore(name, 1);
      expect(await permit.release()).toBe(true);
    }
    expect(await redis.keys()).toEqual([]);
  });
});
