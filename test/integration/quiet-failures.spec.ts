import { afterEach, describe, expect, it } from '@jest/globals';
import { startRedisProcess } from '../../tools/redis/index.mjs';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { useRedisProcess } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedisProcess();
const processEvents = useProcessEvents();

/** Nothing that a timer or an event of ours does may reach the process: nobody could catch it. */
describe('a section under renewal [BC-13]', () => {
  const loss = { code: 'LOCK_LOST', result: 'done' };
  const section = async () => {
    const { locks } = await openLocks({
      connection: redis.url,
      commandTimeout: 200,
    });
    let enter: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const result = locks.withLock('k', { ttl: 600 }, async (lease) => {
      enter();
      await waitUntil(() => lease.signal.aborted, 'told of the loss', 2000);
      return 'done';
    });
    const expected = expect(result).rejects.toMatchObject(loss);
    await entered;
    return { locks, expected };
  };

  afterEach(() => expect(processEvents.seen).toEqual([]));

  it('learns quietly that its key was deleted', async () => {
    const { expected } = await section();
    await redis.client.del('lock:k');
    await expected;
  });

  it('learns quietly that Redis stands still', async () => {
    const { expected, locks } = await section();
    await redis.client.client('PAUSE', 1500, 'ALL');
    await expected;
    const again = () => locks.tryAcquire('k').catch(() => null);
    await waitUntil(async () => (await again()) !== null, 'works again');
  });

  it('learns quietly that Redis is gone, and the next one works when it is back', async () => {
    const { expected, locks } = await section();
    const { port } = redis;
    await redis.server.stop();
    await expected;
    redis.server = await startRedisProcess({ port });
    await locks.withLock('k', { wait: 5000 }, () => undefined);
    expect(await redis.keys()).toEqual([]);
  });

  it('ends quietly when nobody looks at its signal', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const lease = await locks.acquire('k', { ttl: 300 });
    await redis.client.del('lock:k');
    await waitUntil(() => !lease.held, 'lost');
    expect(await lease.release()).toBe(false);
  });
});
