import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { asksFor, loadScripts } from '../helpers/script-requests.js';
import { useRedis } from '../helpers/use-redis.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const state = new LockState(redis, 'k');
const commands = new CommandCount(redis);
const processEvents = useProcessEvents();

/** `setTimeout` fires at once for these, with a warning. */
describe('durations beyond 2^31-1 ms [BC-34]', () => {
  const open = async () => (await openLocks({ connection: redis.url })).locks;

  it.each([2 ** 31 + 60_000, 2 ** 33, '30d', Infinity])('wait: %p waits, and does not poll in a loop', async (wait) => {
    const [holder, waiter] = [await open(), await open()];
    const held = await holder.acquire('k');
    let settled = false;
    const waiting = waiter.acquire('k', { wait }).finally(() => (settled = true));
    await state.untilWaiting(1);
    await commands.reset();
    await sleep(200);
    expect(await commands.scripts()).toBe(0);
    expect(settled).toBe(false);
    await held.release();
    expect((await waiting).held).toBe(true);
    expect(processEvents.seen).toEqual([]);
  });

  it.each(['30d', '90d', 2 ** 31])('ttl: %p holds, and does not renew in a loop', async (ttl) => {
    const locks = await open();
    const options = { ttl, maxHold: '360d', minHold: 0 };
    const lease = await locks.acquire('k', options);
    expect(lease.remaining).toBeGreaterThan(2 ** 31 * 0.98);
    await commands.reset();
    await sleep(200);
    expect(await commands.scripts()).toBe(0);
    expect(lease.held).toBe(true);
    expect(await redis.client.pttl('lock:k')).toBeGreaterThan(2 ** 31 - 1000);
    await lease.extend('200d');
    expect(lease.held).toBe(true);
    expect(await lease.release()).toBe(true);
    expect(processEvents.seen).toEqual([]);
  });

  it('module times do not, either', async () => {
    await loadScripts(redis);
    const long = await openLocks({
      connection: proxy.url,
      commandTimeout: '40d',
      handoffTtl: '40d',
      pollInterval: '40d',
      shutdownTimeout: '40d',
    });
    const [holder, waiter] = [await open(), long.locks];
    // Waits for the connection.
    expect((await waiter.inspect('k')).held).toBe(false);
    const held = await holder.acquire('k');
    const waiting = waiter.acquire('k');
    await state.untilWaiting(1);
    await commands.reset();
    await sleep(200);
    expect(await commands.scripts()).toBe(0);
    await held.release();
    const lease = await waiting;
    // What is not answered is remembered for as long as it may still be carried out.
    const lost = proxy.loseReplyTo(asksFor('lock-acquire'));
    const other = await waiter.acquire('other');
    await lost;
    proxy.cut();
    expect(await lease.release()).toBe(true);
    expect(await other.release()).toBe(true);
    expect(processEvents.seen).toEqual([]);
  });
});
