import { channel } from 'node:diagnostics_channel';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useProcessEvents } from '../../helpers/process-events.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();
const events = channel('nestjs-redis-lock');
let listener: ((message: unknown) => void) | undefined;

afterEach(() => {
  if (listener) events.unsubscribe(listener);
  expect(processEvents.seen).toEqual([]);
});

/** Acts in the middle of what the event tells of. */
function onEvent(act: (event: string) => void): void {
  listener = (message) => act((message as { event: string }).event);
  events.subscribe(listener);
}

const open = async (module = {}) => (await openLocks({ connection: redis.url, ...module })).locks;
const enter = (locks: LockService, name: string, order: string[]) =>
  locks.withLock('k', { wait: '20s' }, () => void order.push(name));

describe('callers of one process who wait for one lock', () => {
  it('all come to their end when one leaves in the middle of the event that another one waited enough', async () => {
    const locks = await open();
    const held = await locks.acquire('k');
    const leaving = new AbortController();
    onEvent((event) => event === 'busy' && leaving.abort(new Error('left')));
    const task = (): string => 'entered';
    const waits = [{ wait: 200 }, { wait: 200, signal: leaving.signal }, { wait: 250 }, { wait: 250 }];
    const ends = waits.map((options) =>
      locks
        .withLock('k', options, task)
        .catch((error: { code?: string; message: string }) => error.code ?? error.message),
    );
    expect(await Promise.all(ends)).toEqual(['LOCK_BUSY', 'left', 'LOCK_BUSY', 'LOCK_BUSY']);
    expect(await held.release()).toBe(true);
  });

  it.each(['acquired', 'released', 'busy'])(
    'are all served when others come and leave in the middle of an event: %s',
    async (at) => {
      // A slow machine must not end the turn.
      const locks = await open({ cohort: { time: '1m' } });
      // Connected, so that a short wait ends as busy.
      await locks.inspect('k');
      const order: string[] = [];
      const late: Promise<void>[] = [];
      const leaving = new AbortController();
      let acted = false;
      onEvent((event) => {
        if (event !== at || acted) return;
        acted = true;
        late.push(enter(locks, 'late', order));
        leaving.abort(new Error('left'));
      });
      const first = locks.acquire('k');
      const quitter = locks
        .withLock('k', { signal: leaving.signal }, () => 'entered')
        .catch((error: Error) => error.message);
      const impatient = locks.acquire('k', { wait: 100 }).catch((error: { code: string }) => error.code);
      const others = ['b', 'c'].map((name) => enter(locks, name, order));
      const held = await first;
      expect(await impatient).toBe('LOCK_BUSY');
      expect(await held.release()).toBe(true);
      // The release that is told of has given it the lock already.
      expect(await quitter).toBe(at === 'released' ? 'entered' : 'left');
      await Promise.all(others);
      expect(late).toHaveLength(1);
      await Promise.all(late);
      expect(order).toEqual(['b', 'c', 'late']);
      expect(await redis.keys()).toEqual([]);
    },
  );

  it('that leave in the middle of the event that tells of them take nobody with them', async () => {
    const locks = await open();
    const leaving = new AbortController();
    const { signal } = leaving;
    onEvent((event) => {
      if (event === 'busy') leaving.abort(new Error('left'));
    });
    await using held = await locks.acquire('k');
    const quitter = locks.acquire('k', { wait: 100, signal }).catch((error: unknown) => error);
    const order: string[] = [];
    const others = ['b', 'c'].map((name) => enter(locks, name, order));
    await expect(quitter).resolves.toMatchObject({ code: 'LOCK_BUSY' });
    await held.release();
    await Promise.all(others);
    expect(order).toEqual(['b', 'c']);
  });

  it('have it one after the other when whoever gives it back does so again in the middle of the event', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    const first = await locks.acquire('k');
    const again: Promise<boolean>[] = [];
    let inside = 0;
    onEvent((event) => {
      if (event === 'released' && again.length === 0) again.push(first.release());
    });
    const others = ['b', 'c', 'd'].map((name) =>
      locks.withLock('k', { wait: '20s' }, async () => {
        expect(++inside).toBe(1);
        await locks.inspect('k');
        inside--;
        return name;
      }),
    );
    expect(await first.release()).toBe(true);
    expect(await Promise.all(again)).toEqual([true]);
    expect(await Promise.all(others)).toEqual(['b', 'c', 'd']);
    expect(await redis.keys()).toEqual([]);
  });

  it('see rising fences also where the clock of the server is behind them', async () => {
    const locks = await open({ cohort: { time: '1m' } });
    // Opens the wake channel.
    const other = await open();
    const held = await other.acquire('k');
    const waiting = locks.acquire('k');
    await new LockState(redis, 'k').untilWaiting(1);
    await held.release();
    const { token } = await waiting;
    await (await waiting).release();
    // As after a failover to a server whose clock is an hour behind.
    const ahead = (Date.now() + 3_600_000) * 1_000;
    const [, process = ''] = token.split(':');
    await redis.client.publish(`lock:wake:${process}`, `grant unknown ${ahead} ${Date.now()} lock:k`);
    const fences: number[] = [];
    const section = () => locks.withLock('k', { wait: '20s' }, ({ fence }) => void fences.push(fence));
    await waitUntil(async () => (await section(), (fences.at(-1) as number) > ahead), 'news of the fence');
    fences.length = 0;
    for (let i = 0; i < 3; i++) await Promise.all([section(), section(), section(), section()]);
    expect(fences).toHaveLength(12);
    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
  });

  it('are told that it is busy when their time ends while their process asks for its next turn', async () => {
    const locks = await open({ connection: proxy.url, cohort: { passes: 1 } });
    const first = await locks.acquire('k');
    const waiting = locks.acquire('k', { wait: '20s' });
    const impatient = locks.acquire('k', { wait: 300 }).catch((error: unknown) => error);
    await first.release();
    const second = await waiting;
    const replies = proxy.hold('replies', { of: 'commands' });
    const released = second.release();
    expect(await impatient).toMatchObject({ code: 'LOCK_BUSY' });
    replies.letGo();
    expect(await released).toBe(true);
    await waitUntil(async () => (await redis.keys()).length === 0, 'nothing to be left');
  });

  it('are told which of them has it, and when its lease ends', async () => {
    const locks = await open();
    let end: () => void = () => undefined;
    const untilEnd = new Promise<void>((resolve) => (end = resolve));
    const options = { ttl: '20s', wait: '20s' };
    const first = locks.withLock('k', options, async function importAll() {
      await Promise.resolve();
    });
    const second = locks.withLock('k', options, async function exportAll() {
      await untilEnd;
    });
    await first;
    const refused = locks.withLock('k', { wait: 100 }, () => undefined);
    await expect(refused).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      key: 'k',
      message: expect.stringMatching(/waited \d+ ms\); held by exportAll \(host .*, pid \d+\)/),
    });
    const { retryAfter } = (await refused.catch((error: unknown) => error)) as { retryAfter: number };
    expect(retryAfter).toBeGreaterThan(10);
    expect(retryAfter).toBeLessThanOrEqual(20);
    end();
    await second;
  });

  it('are told which process has it when it is another one', async () => {
    const [locks, other] = [await open(), await open()];
    await using _held = await other.acquire('k', { ttl: '20s' });
    const refused = [1, 2, 3].map(() => locks.acquire('k', { wait: 200 }));
    for (const call of refused) {
      await expect(call).rejects.toMatchObject({
        code: 'LOCK_BUSY',
        message: expect.stringMatching(/held by acquire \(host .*, pid \d+\)/),
      });
    }
    await new LockState(redis, 'k').untilWaiting(0);
  });

  it('see rising fences, and the token that is in Redis', async () => {
    const locks = await open();
    let last = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        locks.withLock('k', async (lease) => {
          expect(lease.fence).toBeGreaterThan(last);
          last = lease.fence;
          expect(await redis.client.get('lock:k')).toBe(lease.token);
          expect((await locks.inspect('k')).holders).toMatchObject([{ token: lease.token, pid: process.pid }]);
        }),
      ),
    );
    expect(await redis.keys()).toEqual([]);
  });

  it('go on when one of them loses it or has it taken by force', async () => {
    const [locks, other] = [await open(), await open()];
    const order: string[] = [];
    const first = await locks.acquire('k', { ttl: 600 });
    const second = locks.acquire('k', { ttl: 600, wait: '20s' });
    const others = ['b', 'c'].map((name) => enter(locks, name, order));
    await first.release();
    const lease = await second;
    await redis.client.del('lock:k');
    await waitUntil(() => lease.signal.aborted, 'told of the loss');
    await Promise.all(others);
    expect(await lease.release()).toBe(false);
    const held = await locks.acquire('k', { ttl: 600 });
    const next = enter(locks, 'd', order);
    expect(await other.forceRelease('k')).toBe(true);
    await next;
    expect(await held.release()).toBe(false);
    expect(order).toEqual(['b', 'c', 'd']);
    expect(await redis.keys()).toEqual([]);
  });
});
