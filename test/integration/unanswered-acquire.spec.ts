import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { collectGarbage } from '../helpers/collect-garbage.js';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { asksFor, loadScripts } from '../helpers/script-requests.js';
import { openChannel } from '../helpers/until-listening.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { watch } from '../helpers/watch.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const state = new LockState(redis, 'k');
const commands = new CommandCount(redis);
const acquires = asksFor('lock-acquire');

const open = () => openLocks({ connection: proxy.url, commandTimeout: 400 });
const owner = () => redis.client.get('lock:k');
const untilEmpty = () => waitUntil(async () => (await redis.keys()).length === 0, 'nothing left');

beforeEach(() => loadScripts(redis));

describe('an acquire that was rejected leaves no owner [BC-04]', () => {
  const unavailable = { code: 'LOCK_UNAVAILABLE' };

  it('when Redis comes after it was given up', async () => {
    proxy.down();
    const { locks } = await open();
    const options = { wait: 200, ttl: 60_000 };
    await expect(locks.acquire('k', options)).rejects.toMatchObject(unavailable);
    proxy.up();
    const works = () => locks.tryAcquire('other').catch(() => null);
    await waitUntil(async () => (await works()) !== null, 'connected');
    expect(await owner()).toBeNull();
  });

  it('when the answer comes after the deadline', async () => {
    const { locks } = await open();
    await locks.inspect('k');
    const answers = proxy.hold('replies');
    const rejected = expect(locks.acquire('k', { wait: 150, ttl: 60_000 })).rejects.toMatchObject(unavailable);
    await waitUntil(async () => (await owner()) !== null, 'granted');
    await rejected;
    answers.letGo();
    await untilEmpty();
  });

  it('when Redis pauses, and runs it later', async () => {
    const { locks } = await openLocks({ connection: proxy.url });
    await locks.inspect('k');
    await redis.client.client('PAUSE', 300, 'ALL');
    await expect(locks.acquire('k', { wait: 100, ttl: 60_000 })).rejects.toMatchObject(unavailable);
    // Answered in order, so what went before is done.
    await locks.inspect('k');
    expect(await redis.keys()).toEqual([]);
  });

  it.each([
    ['when it reaches Redis after its own cancel, too late to be valid', 400],
    ['when it reaches Redis after its own cancel, while it is still valid', 1500],
  ])('%s', async (_, commandTimeout) => {
    const { locks } = await openLocks({ connection: proxy.url, commandTimeout });
    await locks.inspect('k');
    const requests = proxy.hold('requests', { from: acquires });
    const controller = new AbortController();
    const { signal } = controller;
    const sent = performance.now();
    const rejected = expect(locks.acquire('k', { signal, ttl: 60_000 })).rejects.toThrow('gone');
    await waitUntil(() => requests.pieces > 0, 'sent');
    await proxy.dropAndRefuse('commands');
    controller.abort(new Error('gone'));
    await rejected;
    await commands.reset();
    proxy.up();
    const arrived = async () => (await commands.scripts()) > 0;
    await waitUntil(arrived, 'the cancel arrived over a new connection');
    const valid = commandTimeout > 1000;
    if (!valid) await waitUntil(() => performance.now() > sent + commandTimeout + 50, 'too late');
    await commands.reset();
    requests.letGo();
    await waitUntil(arrived, 'the acquire arrived');
    expect(await owner()).toEqual(valid ? expect.any(String) : null);
    await untilEmpty();
  });
});

describe('an acquire whose answer was lost', () => {
  it('is one ownership when it is sent again', async () => {
    const { locks } = await open();
    await locks.inspect('k');
    await commands.reset();
    const lost = proxy.loseReplyTo(acquires);
    const lease = await locks.acquire('k', { ttl: 60_000 });
    await lost;
    expect(await commands.scripts()).toBe(2);
    expect(await owner()).toBe(lease.token);
    expect(lease.held).toBe(true);
    expect(await lease.release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('keeps the place of a waiter', async () => {
    const [holder, first, second] = await Promise.all([
      openLocks({ connection: redis.url }),
      open(),
      openLocks({ connection: redis.url }),
    ]);
    const held = await holder.locks.acquire('k');
    const order: string[] = [];
    const enter = (name: string) => async () => void order.push(name);
    // With its channel open the next answer is the one that says "queued".
    await openChannel(state, (signal) => first.locks.acquire('k', { signal }));
    const lost = proxy.loseReplyTo(acquires);
    const one = first.locks.withLock('k', enter('first'));
    await lost;
    await state.untilWaiting(1);
    const two = second.locks.withLock('k', enter('second'));
    await state.untilWaiting(2);
    await held.release();
    await Promise.all([one, two]);
    expect(order).toEqual(['first', 'second']);
  });
});

describe('an acquire that was answered at the second try', () => {
  /** In a function of its own, so that nothing keeps the handle. */
  const drop = async (locks: LockService) => void (await locks.acquire('k', { ttl: 60_000, wait: 30_000 }));

  it('has the lock for all of its lease, also when nobody kept the handle', async () => {
    const { locks } = await open();
    await locks.inspect('k');
    const answers = proxy.hold('replies');
    const acquired = drop(locks);
    await waitUntil(async () => (await owner()) !== null, 'granted');
    await proxy.dropAndRefuse('commands');
    answers.letGo();
    const lost = performance.now();
    proxy.up();
    await acquired;
    await collectGarbage();
    await waitUntil(() => performance.now() > lost + 1_000, 'strays of the first try looked for');
    expect(await owner()).not.toBeNull();
  });
});

it.each([0, 1_000])(
  'an acquire that came too late is over in time when the connection is lost behind it: wait %d',
  async (wait) => {
    // Its first answer takes long, so that the clock of the server is taken to be behind.
    proxy.delay('replies', 300);
    const { locks } = await openLocks({ connection: proxy.url, commandTimeout: 600 });
    const connected = () =>
      locks.inspect('k').then(
        () => true,
        () => false,
      );
    await waitUntil(connected, 'the connection', 10_000);
    proxy.delay('replies', 0);
    proxy.delay('requests', 450);
    await commands.reset();
    const refused = locks.acquire('k', { wait }).catch((error: unknown) => error);
    const ended = watch(refused);
    await waitUntil(async () => (await commands.scripts()) > 0, 'the acquire in Redis');
    await new Promise((resolve) => setTimeout(resolve, 20));
    proxy.down();
    await waitUntil(ended, 'the end of the wait', 5_000);
    expect(await refused).toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    expect(await redis.keys()).toEqual([]);
  },
);
