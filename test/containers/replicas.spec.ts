import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Network, type StartedNetwork } from 'testcontainers';
import { readImages } from '../../tools/containers/images.mjs';
import { openLocks } from '../helpers/open-locks.js';
import { ContainerUnderTest, TO_START } from '../helpers/use-container.js';
import { waitUntil } from '../helpers/wait-until.js';

describe.each(readImages())('a master and a replica of $name in one network', (image) => {
  const [master, replica] = [new ContainerUnderTest(), new ContainerUnderTest()];
  let network: StartedNetwork;

  beforeAll(async () => {
    network = await new Network().start();
    await master.start(image, { network: { network, alias: 'main' }, args: ['--repl-diskless-sync-delay', '0'] });
    const follow = ['--replicaof', 'main', '6379'];
    await replica.start(image, { network: { network, alias: 'copy' }, args: follow });
    const linked = async () => (await replica.client.info('replication')).includes('master_link_status:up');
    await waitUntil(linked, 'the replica to follow');
  }, TO_START);

  afterAll(async () => {
    await Promise.all([master.remove(), replica.remove()]);
    await network.stop();
  }, TO_START);

  it('confirm a grant together, and the one without the other does not', async () => {
    const { locks } = await openLocks({ connection: master.url });
    await locks.withLock('k', { replicas: { min: 1, timeout: 5000 } }, async (lease) => {
      expect(await replica.client.get('lock:k')).toBe(lease.token);
    });
    await replica.pause();
    try {
      const alone = locks.withLock('k', { replicas: { min: 1, timeout: 300 } }, () => 'entered');
      await expect(alone).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    } finally {
      await replica.unpause();
    }
    await waitUntil(async () => (await master.keys()).length === 0, 'nothing to be left');
  });
});
