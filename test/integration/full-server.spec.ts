import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { PROTOCOLS, type ProtocolOptions } from '../helpers/protocols.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { timed } from '../helpers/timed.js';
import { untilListening } from '../helpers/until-listening.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const state = new LockState(redis, 'k');
const processEvents = useProcessEvents();

const open = async (module = {}) =>
  (await openLocks({ connection: redis.url, commandTimeout: 500, handoffTtl: 900, ...module })).locks;

const connected = async () => Number(/connected_clients:(\d+)/.exec(await redis.client.info('clients'))?.[1]);

/** From now on the server takes so many more connections. */
const leaveRoomFor = async (more: number) => {
  const count = await connected();
  await redis.client.config('SET', 'maxclients', count + more);
};
const makeRoom = () => redis.client.config('SET', 'maxclients', 10_000);

/** It says why and hangs up; who is still writing by then learns of the hanging up only. */
const NO_ROOM = /max number of clients|EPIPE|ECONNRESET|closed|not connected/;

describe('a server with no room for another client', () => {
  beforeEach(async () => {
    // Those of the test before have gone.
    await waitUntil(async () => (await connected()) === 1, 'nobody but the one who looks');
  });
  afterEach(async () => {
    await makeRoom();
    expect(processEvents.seen).toEqual([]);
  });

  it.each(PROTOCOLS)('is unavailable, and says why, over RESP%i', async (protocol) => {
    await leaveRoomFor(0);
    const logger = new RecordingLogger();
    const connection: ProtocolOptions = { port: redis.port, protocol };
    const locks = await open({ connection, logger });
    for (const wait of [0, 700]) {
      const { took, error } = await timed(() => locks.withLock('k', { wait }, () => 'entered'));
      expect(error).toMatchObject({ code: 'LOCK_UNAVAILABLE', cause: { message: expect.stringMatching(NO_ROOM) } });
      expect(took).toBeLessThan(wait + 2500);
    }
    expect(logger.warnings).toEqual([expect.stringMatching(NO_ROOM)]);
    await makeRoom();
    expect(await locks.withLock('k', { wait: '20s' }, () => 'entered')).toBe('entered');
    expect(logger.lines).toHaveLength(2);
    expect(await redis.keys()).toEqual([]);
  });

  it('serves who waits already when there is some', async () => {
    await leaveRoomFor(0);
    const locks = await open();
    const waiting = locks.withLock('k', { wait: '30s' }, () => 'entered');
    await new Promise((resolve) => setTimeout(resolve, 600));
    await makeRoom();
    expect(await waiting).toBe('entered');
  });

  it('has waiters poll where only the one for messages does not fit, warns once, and pushes when it does', async () => {
    const logger = new RecordingLogger();
    const [mine, theirs] = [await open(), await open({ logger })];
    for (const locks of [mine, theirs]) await locks.withLock('other', () => undefined);
    await leaveRoomFor(0);
    for (let round = 0; round < 2; round++) {
      const held = await mine.acquire('k');
      const waiting = theirs.acquire('k', { wait: '30s' });
      await state.untilWaiting(1);
      expect(await held.release()).toBe(true);
      expect(await (await waiting).release()).toBe(true);
    }
    expect(logger.lines).toEqual([{ level: 'warn', text: expect.stringContaining('(wake channel)') }]);
    await makeRoom();
    await untilListening(redis, 1);
    const held = await mine.acquire('k');
    const waiting = theirs.acquire('k', { wait: '30s' });
    await state.untilWaiting(1);
    await redis.client.config('RESETSTAT');
    expect(await held.release()).toBe(true);
    expect(await (await waiting).release()).toBe(true);
    expect(await redis.calls('publish')).toBeGreaterThan(0);
    expect(logger.lines).toHaveLength(2);
    expect(await redis.keys()).toEqual([]);
  });
});
