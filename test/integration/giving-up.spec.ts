import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AcquireOptions, Lease } from 'nestjs-redis-lock';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks, type LockClient } from '../helpers/open-locks.js';
import { asksFor, loadScripts } from '../helpers/script-requests.js';
import { timed } from '../helpers/timed.js';
import { openChannel, untilListening } from '../helpers/until-listening.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const commands = new CommandCount(redis);

/** Far below the poll interval: whoever gets a lock by then was not passed over in favour of a ghost. */
const AT_ONCE = 250;

describe.each(['lock', 'semaphore'] as const)('a waiter of a %s that gives up', (kind) => {
  const state = new LockState(redis, 'k', kind);
  let holder: LockClient;
  let quitter: LockClient;
  let next: LockClient;
  let held: Lease;

  const take = ({ locks }: LockClient, options?: AcquireOptions) =>
    kind === 'lock' ? locks.acquire('k', options) : locks.acquireSemaphore('k', 1, options);

  /** The next one waits behind the one that gives up, and gets the lock as soon as it is free. */
  const expectNextAtOnce = async (waiting: Promise<Lease>) => {
    await state.untilWaiting(1);
    const { took } = await timed(() => held.release().then(() => waiting));
    expect(took).toBeLessThan(AT_ONCE);
    await (await waiting).release();
    expect(await redis.keys()).toEqual([]);
  };

  beforeEach(async () => {
    [holder, quitter, next] = await Promise.all([
      openLocks({ connection: redis.url }),
      openLocks({ connection: proxy.url }),
      openLocks({ connection: redis.url }),
    ]);
    await loadScripts(redis);
    held = await take(holder);
  });

  it('leaves no entry when its time is over [BC-10]', async () => {
    const quitting = expect(take(quitter, { wait: 1_000 })).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    await state.untilWaiting(1);
    const waiting = take(next);
    await state.untilWaiting(2);
    await quitting;
    await expectNextAtOnce(waiting);
  });

  it('leaves no entry when its signal aborts, and rejects with the reason [BC-10, BC-40]', async () => {
    const controller = new AbortController();
    const reason = new Error('the request was cancelled');
    const quitting = expect(take(quitter, { signal: controller.signal })).rejects.toBe(reason);
    await state.untilWaiting(1);
    const waiting = take(next);
    await state.untilWaiting(2);
    controller.abort(reason);
    await quitting;
    await expectNextAtOnce(waiting);
  });

  it('leaves no entry when its connection is cut as its time ends [BC-10]', async () => {
    const end = performance.now() + 500;
    const quitting = take(quitter, { wait: 500 }).catch((error: { code: string }) => error.code);
    await state.untilWaiting(1);
    const waiting = take(next);
    await state.untilWaiting(2);
    await waitUntil(() => performance.now() > end - 10, 'nearly over');
    proxy.down();
    // Which of them depends on which came first.
    expect(['LOCK_BUSY', 'LOCK_UNAVAILABLE']).toContain(await quitting);
    proxy.up();
    await expectNextAtOnce(waiting);
  });

  it('is passed over while its connection is away [BC-10]', async () => {
    const quitting = expect(take(quitter, { wait: 800 })).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    await state.untilWaiting(1);
    const waiting = take(next);
    await state.untilWaiting(2);
    proxy.down();
    await quitting;
    // Only the next one: Redis knows that the subscriber is gone.
    await untilListening(redis, 1);
    const { took } = await timed(() => held.release().then(() => waiting));
    expect(took).toBeLessThan(AT_ONCE);
    proxy.up();
    await (await waiting).release();
    await waitUntil(async () => (await redis.keys()).length === 0, 'empty');
  });

  it('gives back what was handed to a request of it that came late', async () => {
    await openChannel(state, (signal) => take(quitter, { signal }));
    const requests = proxy.hold('requests', { from: asksFor(`${kind}-acquire`) });
    const controller = new AbortController();
    const quitting = expect(take(quitter, { signal: controller.signal })).rejects.toThrow('left');
    await waitUntil(() => requests.pieces > 0, 'sent');
    await proxy.dropAndRefuse('commands');
    controller.abort(new Error('left'));
    await quitting;
    await commands.reset();
    proxy.up();
    await waitUntil(async () => (await commands.scripts()) > 0, 'the cancel arrived over a new connection');
    requests.letGo();
    await state.untilWaiting(1);
    const waiting = take(next);
    await state.untilWaiting(2);
    const { took } = await timed(() => held.release().then(() => waiting));
    expect(took).toBeLessThan(AT_ONCE);
    await (await waiting).release();
    expect(await redis.keys()).toEqual([]);
  });

  it('gives back what was handed to it while it left', async () => {
    const controller = new AbortController();
    const quitting = expect(take(quitter, { signal: controller.signal })).rejects.toThrow('left');
    await state.untilWaiting(1);
    const messages = proxy.hold('replies', { of: 'subscriber' });
    const waiting = take(next);
    await state.untilWaiting(2);
    await held.release();
    await waitUntil(() => messages.pieces > 0, 'the grant is under way');
    controller.abort(new Error('left'));
    messages.letGo();
    await quitting;
    expect((await timed(() => waiting)).took).toBeLessThan(AT_ONCE);
    await (await waiting).release();
    await waitUntil(async () => (await redis.keys()).length === 0, 'empty');
  });
});
