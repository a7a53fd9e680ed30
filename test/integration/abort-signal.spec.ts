import { channel } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CommandCount } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { useRedis } from '../helpers/use-redis.js';
import { WAYS } from '../helpers/ways.js';

const redis = useRedis();
const processEvents = useProcessEvents();
const events = channel('nestjs-redis-lock');
const listeners: ((message: unknown) => void)[] = [];

afterEach(() => {
  for (const listener of listeners.splice(0)) events.unsubscribe(listener);
});

/** In the same breath as the grant, before the caller can know of it. */
function atGrant(act: () => void): void {
  const listener = (message: unknown) => {
    if ((message as { event: string }).event === 'acquired') act();
  };
  listeners.push(listener);
  events.subscribe(listener);
}

describe.each(WAYS)('the signal of an acquisition, $way', ({ fair }) => {
  const open = () => openLocks({ connection: redis.url, defaults: { fair } });

  it('serves any number of calls without leaving listeners behind [BC-40]', async () => {
    const { locks } = await open();
    const { signal } = new AbortController();
    const section = () => locks.withLock('k', { signal }, async () => 1);
    for (let i = 0; i < 1000; i++) await section();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const all = Array.from({ length: 50 }, section);
    expect(await Promise.all(all)).toEqual(all.map(() => 1));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(processEvents.seen).toEqual([]);
  });

  it('leaves no listeners behind when it ends the waiting of many', async () => {
    const { locks } = await open();
    await using _held = await locks.acquire('k');
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = Array.from({ length: 50 }, () => locks.acquire('k', { signal }).catch((error: unknown) => error));
    controller.abort('enough');
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'enough'));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(processEvents.seen).toEqual([]);
  });

  it('that has aborted already refuses before Redis is asked [BC-40]', async () => {
    const { locks } = await open();
    await locks.inspect('k');
    const commands = new CommandCount(redis);
    await commands.reset();
    const signal = AbortSignal.abort('why');
    let entered = false;
    const section = locks.withLock('k', { signal }, () => (entered = true));
    await expect(section).rejects.toBe('why');
    expect({ entered, scripts: await commands.scripts() }).toEqual({
      entered: false,
      scripts: 0,
    });
  });

  it('that aborts in the same breath as the grant leaves the lock to its owner [BC-40]', async () => {
    const { locks } = await open();
    const controller = new AbortController();
    atGrant(() => controller.abort('too late'));
    const { signal } = controller;
    const held = await locks.withLock('k', { signal }, async (lease) => {
      expect(await redis.client.get('lock:k')).toBe(lease.token);
      return lease.held;
    });
    expect({ held, aborted: signal.aborted }).toEqual({
      held: true,
      aborted: true,
    });
    expect(await redis.keys()).toEqual([]);
  });

  it('that aborts in the same breath as the hand-over leaves the lock to its owner, and others behind it [BC-40]', async () => {
    const { locks } = await open();
    const held = await locks.acquire('k');
    const controller = new AbortController();
    const { signal } = controller;
    const next = locks.acquire('k', { signal });
    const others = [1, 2].map(() => locks.withLock('k', () => 'entered'));
    atGrant(() => controller.abort('too late'));
    await held.release();
    const lease = await next;
    expect({ held: lease.held, aborted: signal.aborted }).toEqual({ held: true, aborted: true });
    expect(await redis.client.get('lock:k')).toBe(lease.token);
    expect(await lease.release()).toBe(true);
    expect(await Promise.all(others)).toEqual(['entered', 'entered']);
    expect(await redis.keys()).toEqual([]);
  });

  it('does not end the lock nor its release when it aborts in the section [BC-40]', async () => {
    const { locks } = await open();
    const controller = new AbortController();
    const { signal } = controller;
    const failing = locks.withLock('k', { signal }, async (lease) => {
      controller.abort(new Error('cancelled'));
      expect(lease.signal.aborted).toBe(false);
      expect(lease.held).toBe(true);
      signal.throwIfAborted();
    });
    await expect(failing).rejects.toThrow('cancelled');
    expect(await redis.keys()).toEqual([]);
  });
});
