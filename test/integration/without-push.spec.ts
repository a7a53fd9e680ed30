import { beforeEach, describe, expect, it } from '@jest/globals';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { ALL_QUEUE } from '../helpers/ways.js';

const redis = useRedis();
const state = new LockState(redis, 'k');
const commands = new CommandCount(redis);
const processEvents = useProcessEvents();

const HANDED = 900;

const rights: [string, string[]][] = [
  ['no channel', ['+@all', '~*', 'resetchannels']],
  ['no SUBSCRIBE', ['+@all', '-subscribe', '~*', '&*']],
  ['no PUBLISH', ['+@all', '-publish', '~*', '&*']],
];

describe.each(rights)('a user who may not push: %s', (_, rules) => {
  let logger: RecordingLogger;
  const open = async (module = {}) => {
    const connection = redis.url.replace('//', '//app:secret@');
    const options = { connection, logger, handoffTtl: HANDED, ...module };
    return (await openLocks(options)).locks;
  };

  beforeEach(async () => {
    logger = new RecordingLogger();
    await redis.client.acl('SETUSER', 'app', 'reset', 'on', '>secret', ...rules);
  });

  it('polls, keeps the order, and warns once', async () => {
    const clients = [await open(), await open(), await open(), await open()];
    const allowed = (await openLocks({ connection: redis.url })).locks;
    const held = await allowed.acquire('k');
    const order: number[] = [];
    const sections = clients.map(async (locks, i) => {
      await state.untilWaiting(i);
      await locks.withLock('k', { wait: 10_000 }, () => void order.push(i));
    });
    await state.untilWaiting(4);
    expect(await held.release()).toBe(true);
    await Promise.all(sections);
    expect(order).toEqual([0, 1, 2, 3]);
    // One per client.
    expect(logger.warnings).toHaveLength(4);
    expect(logger.warnings[0]).toContain('lock:wake:*');
    expect(processEvents.seen).toEqual([]);
    expect(await redis.keys()).toEqual([]);
  });

  it('does not poll in a loop', async () => {
    const locks = await open();
    const allowed = (await openLocks({ connection: redis.url })).locks;
    await allowed.acquire('k');
    const waiting = locks.acquire('k', { wait: 60_000 }).catch(() => undefined);
    await state.untilWaiting(1);
    await commands.reset();
    const start = performance.now();
    const polls = () => commands.scripts();
    await waitUntil(async () => (await polls()) >= 6, 'six polls');
    expect(performance.now() - start).toBeGreaterThan(500);
    await allowed.forceRelease('k');
    expect(await waiting).toMatchObject({ held: true });
  });

  it('keeps the places of other waiters when one of the same process releases', async () => {
    const locks = await open(ALL_QUEUE);
    const held = await locks.acquire('k');
    const waiting = [locks.acquire('k'), locks.acquire('k')];
    await state.untilWaiting(2);
    expect(await held.release()).toBe(true);
    // The head owns it, and the other one has not left its place.
    expect(await redis.client.exists(state.owner)).toBe(1);
    expect(await state.waiters()).toBe(1);
    for (const lease of waiting) expect(await (await lease).release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('hands on to those who may', async () => {
    const locks = await open();
    const allowed = (await openLocks({ connection: redis.url, pollInterval: 500 })).locks;
    const held = await locks.acquire('k');
    const waiting = allowed.acquire('k', { wait: 10_000 });
    await state.untilWaiting(1);
    expect(await held.release()).toBe(true);
    expect(await (await waiting).release()).toBe(true);
  });
});
