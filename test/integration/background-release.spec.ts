import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Semaphore, WithLock, type LockService } from 'nestjs-redis-lock';
import { bindLockService } from 'nestjs-redis-lock/testing';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { from, lastValueFrom, Observable } from 'rxjs';
import { useFaultProxy, type HeldBytes } from '../helpers/fault-proxy.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { loadScripts } from '../helpers/script-requests.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { watch } from '../helpers/watch.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();
const BACKGROUND = { releaseMode: 'background' } as const;

let events: { event: string }[];
const listen = (message: unknown): void => void events.push(message as { event: string });
const countOf = (name: string) => events.filter(({ event }) => event === name).length;

beforeEach(async () => {
  events = [];
  subscribe('nestjs-redis-lock', listen);
  await loadScripts(redis);
});

afterEach(() => {
  unsubscribe('nestjs-redis-lock', listen);
  expect(processEvents.seen).toEqual([]);
});

/** Behind a proxy, with a wake channel that is there already: what a test holds back is about the release. */
async function open(connection = proxy.url, options = {}) {
  const logger = new RecordingLogger();
  const client = await openLocks({ connection, logger, ...options });
  await client.locks.withLock('warm', () => undefined);
  logger.lines.length = 0;
  events.length = 0;
  return { ...client, logger };
}

const untilFree = () => waitUntil(async () => (await redis.keys()).length === 0, 'the release');

describe('A release in the background', () => {
  /** What the work does just before it ends. */
  let last: () => void;

  class Orders {
    @WithLock('k', BACKGROUND)
    async promise(): Promise<string> {
      last();
      return 'done';
    }

    @Semaphore(2, 'k', BACKGROUND)
    async permit(): Promise<string> {
      last();
      return 'done';
    }

    @WithLock(['a', 'b', 'c'], BACKGROUND)
    async several(): Promise<string> {
      last();
      return 'done';
    }

    @WithLock('k', { ...BACKGROUND, minHold: 300 })
    async kept(): Promise<string> {
      last();
      return 'done';
    }

    @WithLock('k', BACKGROUND)
    async nested(): Promise<string> {
      return this.promise();
    }

    @WithLock('k', BACKGROUND)
    stream(): Observable<string> {
      return new Observable((subscriber) => {
        last();
        subscriber.next('done');
        subscriber.complete();
      });
    }

    @WithLock('k', BACKGROUND)
    async *generator(): AsyncGenerator<string> {
      yield 'first';
      last();
      yield 'done';
    }

    @WithLock('k', BACKGROUND)
    async fails(): Promise<string> {
      last();
      throw new RangeError('sold out');
    }
  }

  type Shape = (orders: Orders, locks: LockService) => Promise<unknown>;
  const shapes: [string, Shape][] = [
    ['a promise', (orders) => orders.promise()],
    ['a permit of a semaphore', (orders) => orders.permit()],
    ['several keys', (orders) => orders.several()],
    ['a lock with minHold', (orders) => orders.kept()],
    ['a nested call', (orders) => orders.nested()],
    ['an Observable', (orders) => lastValueFrom(orders.stream())],
    ['an async generator', (orders) => lastValueFrom(from(orders.generator()))],
    ['an error', (orders) => orders.fails().catch((error: Error) => (error instanceof RangeError ? 'done' : error))],
    ['withLock', (_, locks) => locks.withLock('k', BACKGROUND, () => (last(), 'done'))],
    ['withSemaphore', (_, locks) => locks.withSemaphore('k', 2, BACKGROUND, () => (last(), 'done'))],
    [
      'await using',
      async (_, locks) => {
        await using _lease = await locks.acquire('k', BACKGROUND);
        last();
        return 'done';
      },
    ],
  ];

  it.each(shapes)('lets the result pass before its answer is there, and is done: %s', async (_, call) => {
    const { locks, logger } = await open();
    let replies: HeldBytes | undefined;
    last = () => void (replies ??= proxy.hold('replies', { of: 'commands' }));
    expect(await call(bindLockService(new Orders(), locks), locks)).toBe('done');
    await waitUntil(() => replies?.pieces !== 0, 'the answer on its way');
    await untilFree();
    replies?.letGo();
    await locks.inspect('k');
    expect(logger.lines).toEqual([]);
    expect(countOf('lost')).toBe(0);
    expect(countOf('released')).toBe(countOf('acquired'));
  });

  it('is a default of the module, too, which a call may override', async () => {
    const { locks } = await open(proxy.url, { defaults: BACKGROUND });
    let replies: HeldBytes | undefined;
    const body = () => {
      replies = proxy.hold('replies', { of: 'commands' });
      return 'done';
    };
    const untilAnswered = () => waitUntil(() => Number(replies?.pieces) > 0, 'the answer on its way');
    expect(await locks.withLock('k', body)).toBe('done');
    await untilAnswered();
    replies?.letGo();
    const call = locks.withLock('k', { releaseMode: 'await' }, body);
    const ended = watch(call);
    await untilAnswered();
    expect(ended()).toBe(false);
    replies?.letGo();
    expect(await call).toBe('done');
  });

  it('by hand is always answered', async () => {
    const { locks } = await open();
    const lease = await locks.acquire('k', BACKGROUND);
    const lost = await locks.acquire('other', BACKGROUND);
    await redis.client.del('lock:other');
    const replies = proxy.hold('replies', { of: 'commands' });
    const release = lease.release();
    const answered = watch(release);
    await waitUntil(() => replies.pieces > 0, 'the answer on its way');
    expect(answered()).toBe(false);
    replies.letGo();
    expect(await release).toBe(true);
    expect(await lost.release()).toBe(false);
  });

  it('stays in front of what this process asks for next', async () => {
    const { locks } = await open(redis.url);
    const orders = bindLockService(new Orders(), locks);
    last = () => undefined;
    const values = () => lastValueFrom(orders.stream());
    for (const call of [() => orders.promise(), values, () => locks.withLock('k', BACKGROUND, () => 'done')]) {
      for (let i = 0; i < 50; i++) {
        await call();
        const next = await locks.tryAcquire('k');
        expect(next?.held).toBe(true);
        await next?.release();
      }
    }
  });
});

describe('What the answer to a release in the background would have said', () => {
  it.each(['throw', 'ignore'] as const)(
    'is logged once when the lock was lost unnoticed: onLost %s',
    async (onLost) => {
      const { locks, logger } = await open(redis.url);
      const section = locks.withLock('k', { ...BACKGROUND, onLost }, async function pay() {
        await redis.client.set('lock:k', 'foreign', 'PX', 5000);
        return 42;
      });
      expect(await section).toBe(42);
      await waitUntil(() => logger.lines.length > 0, 'a line in the log');
      await locks.inspect('k');
      expect(logger.warnings).toEqual([
        expect.stringMatching(/^pay had ended .*"k" was lost by pay: it was no longer ours/),
      ]);
      expect(logger.lines).toHaveLength(1);
      expect(countOf('lost')).toBe(1);
      expect(await redis.client.get('lock:k')).toBe('foreign');
    },
  );

  it('is not waited for to tell a loss that is known by then', async () => {
    const { locks, logger } = await open(redis.url);
    const section = locks.withLock('k', { ...BACKGROUND, ttl: 300 }, async ({ signal }) => {
      await locks.forceRelease('k');
      await waitUntil(() => signal.aborted, 'news of the release by force');
      return 42;
    });
    await expect(section).rejects.toMatchObject({ code: 'LOCK_LOST', result: 42 });
    await locks.inspect('k');
    expect(logger.lines).toEqual([]);
    expect(countOf('lost')).toBe(1);
  });

  it.each([
    ['the connection ends', () => proxy.down()],
    ['Redis says nothing any more', () => proxy.blackhole()],
  ])('is logged once when there is none, and the release is made good: %s', async (_, begin) => {
    const { locks, logger } = await open(proxy.url, { commandTimeout: 300 });
    const body = () => void begin();
    expect(await locks.withLock(['k', 'l'], { ...BACKGROUND, ttl: '1m' }, body)).toBeUndefined();
    expect(logger.warnings.filter((text) => text.includes('released'))).toEqual([]);
    const told = () => logger.warnings.filter((text) => text.includes('could not be released'));
    await waitUntil(() => told().length > 0, 'a line in the log');
    proxy.up();
    await untilFree();
    expect(told()).toHaveLength(1);
  });
});
