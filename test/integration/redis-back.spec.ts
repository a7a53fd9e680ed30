import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisLockModuleOptions } from 'nestjs-redis-lock';
import { type HoldOptions, useFaultProxy } from '../helpers/fault-proxy.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { timed } from '../helpers/timed.js';
import { untilListening } from '../helpers/until-listening.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { ALL_QUEUE } from '../helpers/ways.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const state = new LockState(redis, 'k');
const processEvents = useProcessEvents();

const open = async (options: RedisLockModuleOptions = {}) =>
  (await openLocks({ connection: proxy.url, ...options })).locks;

describe('Redis coming later', () => {
  it('serves those who still wait, without a restart [BC-33]', async () => {
    proxy.down();
    const locks = await open();
    const waiting = locks.withLock('k', { wait: 5000 }, () => 'done');
    await sleep(200);
    proxy.up();
    expect(await waiting).toBe('done');
    expect(processEvents.seen).toEqual([]);
  });

  it('serves those whose connection went silent, over a new one', async () => {
    const locks = await open({ commandTimeout: 300 });
    await locks.withLock('k', () => undefined);
    proxy.blackhole('commands');
    const { took, value } = await timed(() => locks.withLock('k', () => 'done'));
    expect(value).toBe('done');
    expect(took).toBeLessThan(1500);
  });

  it.each<[string, HoldOptions]>([
    ['the greeting', {}],
    ['the subscription', { of: 'subscriber', from: (piece) => piece.includes('subscribe') }],
  ])('is found over new connections when the first ones get no answer to %s', async (_, silent) => {
    const silence = proxy.hold('replies', silent);
    const others = await openLocks({ connection: redis.url });
    const held = await others.locks.acquire('k');
    const locks = await open({ commandTimeout: 300, pollInterval: '1m' });
    const waiting = locks.withLock('k', { wait: '1m' }, () => 'done');
    await waitUntil(() => silence.pieces > 0, 'a connection that is not answered');
    proxy.blackhole(silent.of);
    silence.letGo();
    const { attempts } = proxy;
    await waitUntil(() => proxy.attempts > attempts, 'a new connection');
    await untilListening(redis, 1);
    await state.untilWaiting(1);
    await held.release();
    expect(await waiting).toBe('done');
  });

  it('gives a waiter that was passed over meanwhile its old place', async () => {
    const others = await openLocks({ connection: redis.url, ...ALL_QUEUE });
    const locks = await open();
    const held = await others.locks.acquire('k');
    const order: string[] = [];
    const enter = (name: string) => () => void order.push(name);
    const section = (name: string) => others.locks.withLock('k', enter(name));
    const first = locks.withLock('k', enter('first'));
    await untilListening(redis, 1);
    await state.untilWaiting(1);
    const next = others.locks.acquire('k');
    await state.untilWaiting(2);
    const last = section('last');
    await state.untilWaiting(3);
    proxy.down();
    await untilListening(redis, 1);
    await held.release();
    const lease = await next;
    proxy.up();
    await state.untilWaiting(2);
    await lease.release();
    await Promise.all([first, last]);
    expect(order).toEqual(['first', 'last']);
  });

  it('finds waiters in their old order after an outage', async () => {
    const [holder, a, b] = await Promise.all([openLocks({ connection: redis.url }), open(ALL_QUEUE), open(ALL_QUEUE)]);
    const held = await holder.locks.acquire('k', { ttl: 60_000 });
    const order: string[] = [];
    const waiting = [];
    for (const [locks, name] of [
      [a, 'a'],
      [b, 'b'],
      [a, 'a again'],
    ] as const) {
      const before = waiting.length;
      waiting.push(locks.withLock('k', () => void order.push(name)));
      const count = () => redis.client.zcard('queue:{lock:k}');
      await waitUntil(async () => (await count()) > before, 'queued');
    }
    proxy.down();
    // The server must have seen them go, or it would not be their return that is waited for.
    await untilListening(redis, 0);
    proxy.up();
    await untilListening(redis, 2);
    await held.release();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'a again']);
  });
});
