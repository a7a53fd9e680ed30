import { afterEach, describe, expect, it } from '@jest/globals';
import { readImages } from '../../tools/containers/images.mjs';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { timed } from '../helpers/timed.js';
import { useContainer } from '../helpers/use-container.js';
import { waitUntil } from '../helpers/wait-until.js';

const processEvents = useProcessEvents();
const unavailable = { code: 'LOCK_UNAVAILABLE' };

describe.each(readImages())('a container of $name', (image) => {
  const redis = useContainer(image);
  const state = new LockState(redis, 'k');
  const open = async (module = {}) =>
    (await openLocks({ connection: redis.url, commandTimeout: 500, ...module })).locks;

  afterEach(() => expect(processEvents.seen).toEqual([]));

  const expectUnavailable = async (locks: Awaited<ReturnType<typeof open>>) => {
    const { took, error } = await timed(() => locks.withLock('k', { wait: 800 }, () => 'entered'));
    expect(error).toMatchObject(unavailable);
    expect(took).toBeLessThan(4000);
  };

  const expectServed = async (locks: Awaited<ReturnType<typeof open>>) => {
    expect(await locks.withLock('k', { wait: '30s' }, () => 'entered')).toBe('entered');
    await waitUntil(async () => (await redis.keys()).length === 0, 'nothing to be left');
  };

  it('that is paused is unavailable, and serves when it goes on', async () => {
    const locks = await open();
    await locks.withLock('k', () => undefined);
    await redis.pause();
    try {
      await expectUnavailable(locks);
    } finally {
      await redis.unpause();
    }
    await expectServed(locks);
  });

  it('that is stopped is unavailable, with one warning, and serves when it is started again', async () => {
    const logger = new RecordingLogger();
    const locks = await open({ logger });
    await locks.withLock('k', () => undefined);
    await redis.halt();
    await expectUnavailable(locks);
    await expectUnavailable(locks);
    await redis.startAgain();
    await redis.answers();
    await expectServed(locks);
    expect(logger.warnings).toHaveLength(1);
  });

  it('that is restarted loses its locks, tells their holders, and serves those who wait', async () => {
    const [holder, waiter] = [await open(), await open()];
    const held = await holder.acquire('k', { ttl: '2s' });
    const waiting = waiter.withLock('k', { wait: '60s' }, () => 'entered');
    await state.untilWaiting(1);
    await redis.restart();
    expect(await waiting).toBe('entered');
    await waitUntil(() => held.signal.aborted, 'told of the loss');
    expect(held.held).toBe(false);
    await redis.answers();
    await expectServed(holder);
  });
});
