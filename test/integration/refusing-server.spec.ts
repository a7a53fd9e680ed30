import { afterEach, describe, expect, it } from '@jest/globals';
import type { LockService } from 'nestjs-redis-lock';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { SERVER_FAULTS } from '../helpers/server-faults.js';
import { timed } from '../helpers/timed.js';
import { openChannel } from '../helpers/until-listening.js';
import { untilRenewed } from '../helpers/until-renewed.js';
import { useRedisProcess } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedisProcess();
const state = new LockState(redis, 'k');
const processEvents = useProcessEvents();

const COMMAND_TIMEOUT = 500;
/** Far more than a loaded machine needs, far less than a wait that nobody bounds. */
const SLOWNESS = 2000;

const open = async (module = {}) =>
  (await openLocks({ connection: redis.url, commandTimeout: COMMAND_TIMEOUT, ...module })).locks;

const takers: [string, string, (locks: LockService, wait: number) => Promise<unknown>][] = [
  ['a lock', 'k', (locks, wait) => locks.withLock('k', { wait }, () => 'entered')],
  ['a permit', 's', (locks, wait) => locks.withSemaphore('s', 1, { wait }, () => 'entered')],
];

describe.each(SERVER_FAULTS)(
  'a server that answers $name [BC-38]',
  ({ says, passes, reads, since = 0, begin, end }) => {
    const applies = () => Number.parseInt(redis.server.version, 10) >= since;
    let broken = false;
    const breakIt = async () => {
      broken = true;
      await begin(redis);
    };
    const mend = async () => {
      broken = false;
      await end(redis);
    };
    const holds = (title: string, test: () => Promise<void>) =>
      it(title, async () => {
        if (applies()) await test();
      });
    afterEach(async () => {
      if (broken) await mend();
      expect(processEvents.seen).toEqual([]);
    });

    const refused = (key: string) => ({
      code: 'LOCK_UNAVAILABLE',
      key,
      message: expect.stringContaining(`"${key}"`),
      cause: { name: 'ReplyError', message: expect.stringMatching(says) },
    });

    it.each(takers)('has %s fail as unavailable, with what it said, when the wait is over', async (_, key, take) => {
      if (!applies()) return;
      const locks = await open();
      await take(locks, 0);
      await breakIt();
      for (const wait of [0, 800]) {
        const { took, error } = await timed(() => take(locks, wait));
        expect(error).toMatchObject(refused(key));
        expect(took).toBeLessThan(wait + COMMAND_TIMEOUT + SLOWNESS);
        if (passes) expect(took).toBeGreaterThan(wait - 10);
      }
      await mend();
      expect(await redis.keys()).toEqual([]);
      expect(await take(locks, 5000)).toBe('entered');
    });

    holds('is not taken for busy by those who had queued before', async () => {
      const [holder, waiter] = [await open(), await open({ pollInterval: 500 })];
      const held = await holder.acquire('k', { ttl: '1m' });
      const waiting = timed(() => waiter.acquire('k', { wait: 1500 }));
      await state.untilWaiting(1);
      await breakIt();
      const { took, error } = await waiting;
      expect(error).toMatchObject(refused('k'));
      expect(took).toBeLessThan(1500 + SLOWNESS);
      await mend();
      await held.release();
      await waitUntil(async () => (await redis.keys()).length === 0, 'nothing to be left');
    });

    holds('serves those who still wait when it takes commands again, in their order', async () => {
      const [holder, waiter, late] = [await open(), await open({ pollInterval: 500 }), await open()];
      const held = await holder.acquire('k', { ttl: '1m' });
      const order: string[] = [];
      const enter = (locks: LockService, name: string) =>
        locks.withLock('k', { wait: '30s' }, () => void order.push(name)).catch((error: unknown) => error);
      const first = enter(waiter, 'first');
      await state.untilWaiting(1);
      await breakIt();
      const second = enter(late, 'second');
      // Both have been refused more than once by then.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await mend();
      if (passes) await state.untilWaiting(2);
      await held.release();
      const ends = await Promise.all([first, second]);
      if (passes) expect(order).toEqual(['first', 'second']);
      else for (const error of ends) expect(error).toMatchObject(refused('k'));
      await waitUntil(async () => (await redis.keys()).length === 0, 'nothing to be left');
      expect(await waiter.withLock('k', () => 'entered')).toBe('entered');
    });

    holds('costs no lease that is longer than the trouble', async () => {
      const locks = await open();
      const held = await locks.acquire('k', { ttl: 3000 });
      await breakIt();
      await waitUntil(() => held.remaining < 1700, 'a renewal to have failed');
      expect(held.held).toBe(true);
      await mend();
      await untilRenewed(held);
      expect(await held.release()).toBe(true);
      expect(await redis.keys()).toEqual([]);
    });

    holds('bounds a look into a lock and a release by force', async () => {
      const locks = await open();
      await locks.withLock('k', () => undefined);
      await breakIt();
      const look = await timed(() => locks.inspect('k'));
      if (reads) expect(look.value).toMatchObject({ holders: [] });
      else expect(look.error).toMatchObject(refused('k'));
      await mend();
      expect(await locks.forceRelease('k')).toBe(false);
    });

    holds('is one warning per connection at most, however long it lasts, and one line at its end (BC-33)', async () => {
      const logger = new RecordingLogger();
      const holder = await open();
      await holder.acquire('k', { ttl: '1m' });
      const locks = await open({ logger });
      await openChannel(state, (signal) => locks.acquire('k', { signal }));
      await breakIt();
      const start = performance.now();
      while (performance.now() - start < 3000) await locks.acquire('x', { wait: 300 }).catch(() => undefined);
      await mend();
      expect(await locks.withLock('x', { wait: '20s' }, () => 'entered')).toBe('entered');
      const lines = logger.lines.map(({ level, text }) => `${level}: ${text}`);
      for (const name of ['commands', 'wake channel']) {
        const own = lines.filter((line) => line.includes(`(${name})`));
        expect(own).toEqual(own.length === 0 ? [] : [expect.stringMatching(/^warn/), expect.stringMatching(/^log/)]);
      }
      expect(lines.length).toBeLessThanOrEqual(4);
    });
  },
);
