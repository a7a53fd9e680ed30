import { expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockService } from 'nestjs-redis-lock';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { CommandCount } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const commands = new CommandCount(redis);
const processEvents = useProcessEvents();

const SECTIONS = 4000;
const LANES = 40;
const KEYS = 8;
/** Renewed every 33 ms. */
const ttl = 100;

const pick = (below: number) => Math.floor(Math.random() * below);
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

/** Half of the calls are aborted at a random moment, while they ask, wait, hold or release. */
async function lane(locks: LockService, signals: AbortSignal[], sections: number): Promise<void> {
  for (let i = 0; i < sections; i++) {
    const controller = new AbortController();
    const { signal } = controller;
    signals.push(signal);
    if (i % 2) setTimeout(() => controller.abort('over'), pick(20));
    const options = { ttl, signal, onLost: 'ignore' as const };
    const outcome = await locks
      .withLock(`k${pick(KEYS)}`, options, () => sleep(pick(5)))
      .catch((error: unknown) => error);
    // On a machine that stands still for longer than such a short lease every answer comes too late.
    if (codeOf(outcome) !== 'LOCK_UNAVAILABLE') {
      expect([undefined, 'over']).toContain(outcome);
    }
  }
}

it('thousands of short sections with aborts leave no timer, key, listener or renewal behind [BC-15]', async () => {
  const before = timers();
  const clients = [
    await openLocks({ connection: proxy.url, defaults: { wait: '60s' } }),
    await openLocks({ connection: redis.url, defaults: { wait: '60s' } }),
  ];
  const jitter = setInterval(() => {
    proxy.delay('requests', pick(6));
    proxy.delay('replies', pick(6));
  }, 10);
  const signals: AbortSignal[] = [];
  const lanes = Array.from({ length: LANES }, (_, i) =>
    lane((clients[i % 2] as (typeof clients)[0]).locks, signals, SECTIONS / LANES),
  );
  await Promise.all(lanes).finally(() => clearInterval(jitter));
  await waitUntil(async () => (await redis.keys()).length === 0, 'empty', 2000);
  expect(signals).toHaveLength(SECTIONS);
  const listening = signals.filter((signal) => getEventListeners(signal, 'abort').length > 0);
  expect(listening).toEqual([]);
  await waitUntil(() => timers() <= before, 'timers of the aborts are over');
  await commands.reset();
  await sleep(2 * ttl);
  expect(await commands.scripts()).toBe(0);
  expect(await redis.keys()).toEqual([]);
  expect(processEvents.seen).toEqual([]);
});

it('sections whose connections are cut at any moment leave nothing that does not end [BC-04, BC-52]', async () => {
  const clients = await Promise.all(
    Array.from({ length: 4 }, () =>
      openLocks({
        connection: proxy.url,
        commandTimeout: 500,
        defaults: { wait: '30s', ttl: 2000, onLost: 'ignore' },
      }),
    ),
  );
  let cuts = 0;
  const endless: string[] = [];
  const cutter = setInterval(() => {
    cuts++;
    if (cuts % 2) proxy.cut(pick(2) ? 'commands' : 'subscriber');
    else proxy.drop(pick(2) ? 'commands' : 'subscriber');
    void redis.keys().then(async (keys) => {
      for (const key of keys) {
        if ((await redis.client.pttl(key)) === -1) endless.push(key);
      }
    });
  }, 70);
  let inside = 0;
  let together = 0;
  const enter = async () => {
    together = Math.max(together, ++inside);
    await sleep(1);
    inside--;
  };
  const work = clients.map(async ({ locks }) => {
    for (let i = 0; i < 150; i++) await locks.withLock('k', enter);
  });
  await Promise.all(work).finally(() => clearInterval(cutter));
  expect(together).toBe(1);
  expect(cuts).toBeGreaterThan(10);
  await waitUntil(async () => (await redis.keys()).length === 0, 'empty', 5000);
  // Strays of requests that were given up are cancelled by then.
  await sleep(700);
  expect(await redis.keys()).toEqual([]);
  expect(endless).toEqual([]);
  expect(processEvents.seen).toEqual([]);
});
