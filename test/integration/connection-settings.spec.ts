import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import type { ProtocolOptions } from '../helpers/protocols.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { timed } from '../helpers/timed.js';
import { untilRenewed } from '../helpers/until-renewed.js';
import { useRedis } from '../helpers/use-redis.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();
const clients: Redis[] = [];

/** What an application may want for its own commands, and a lock must not inherit. */
const SETTINGS: [string, ProtocolOptions][] = [
  ['nothing', {}],
  ['maxRetriesPerRequest: null', { maxRetriesPerRequest: null }],
  ['maxRetriesPerRequest: 0', { maxRetriesPerRequest: 0 }],
  ['no offline queue', { enableOfflineQueue: false }],
  ['lazyConnect', { lazyConnect: true }],
  ['both', { enableOfflineQueue: false, lazyConnect: true }],
  ['a commandTimeout', { commandTimeout: 20 }],
  ['a socketTimeout', { socketTimeout: 300 }],
  ['a connectTimeout and keepAlive', { connectTimeout: 500, keepAlive: 100, noDelay: false }],
  ['autopipelining', { enableAutoPipelining: true }],
  ['no resending and no subscribing again', { autoResendUnfulfilledCommands: false, autoResubscribe: false }],
  ['no ready check', { enableReadyCheck: false }],
  ['a retryStrategy that gives up', { retryStrategy: () => null }],
  ['reconnectOnError for everything', { reconnectOnError: () => 2 }],
  ['RESP2', { protocol: 2 }],
  ['RESP3', { protocol: 3 }],
  ['a database', { db: 5 }],
  ['a key prefix', { keyPrefix: 'app:' }],
  ['a name and a stack trace', { connectionName: 'shop', showFriendlyErrorStack: true }],
  ['numbers as text', { stringNumbers: true }],
];

const forms: [string, (options: ProtocolOptions, port: number) => ProtocolOptions | Redis][] = [
  ['as options', (options, port) => ({ host: '127.0.0.1', port, ...options })],
  [
    'of a client that is handed in',
    (options, port) => {
      const client = new Redis(port, '127.0.0.1', { ...options, lazyConnect: true });
      clients.push(client);
      return client;
    },
  ],
];

afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  await redis.client.select(0);
  expect(processEvents.seen).toEqual([]);
});

const LOST = /ECONN|EPIPE|closed/;

const open = async (connection: ProtocolOptions | Redis, logger = new RecordingLogger()) =>
  (await openLocks({ connection, logger, commandTimeout: 600, pollInterval: '1m', handoffTtl: '1m' })).locks;

describe.each(forms)('settings %s [BC-30, BC-31]', (_form, connect) => {
  it.each(SETTINGS)('%s: hand on by message, renew, and leave nothing', async (_, options) => {
    const logger = new RecordingLogger();
    const [mine, theirs] = [
      await open(connect(options, redis.port), logger),
      await open(connect(options, redis.port), logger),
    ];
    await redis.client.select(options.db ?? 0);
    for (const kind of ['lock', 'semaphore'] as const) {
      const state = new LockState(redis, 'k', kind);
      const prefixed = `queue:{${options.keyPrefix ?? ''}${kind}:k}`;
      Object.assign(state, { queue: prefixed });
      const take = (locks: typeof mine) =>
        kind === 'lock' ? locks.acquire('k', { ttl: 600 }) : locks.acquireSemaphore('k', 1, { ttl: 600 });
      const held = await take(mine);
      const waiting = take(theirs);
      await state.untilWaiting(1);
      await untilRenewed(held);
      expect(await held.release()).toBe(true);
      expect(await (await waiting).release()).toBe(true);
      expect(await redis.keys()).toEqual([]);
    }
    expect(logger.lines).toEqual([]);
  });

  it('end a wait on its own clock while Redis is down, and work when it is back', async () => {
    const opening = SETTINGS.map(async ([name, options]) => ({
      name,
      locks: await open(connect(options, proxy.port)),
    }));
    const all = await Promise.all(opening);
    await Promise.all(all.map(({ name, locks }) => locks.withLock(name, () => undefined)));
    proxy.down();
    for (const wait of [0, 500]) {
      const refused = all.map(async ({ name, locks }) => {
        const { took, error } = await timed(() => locks.withLock(name, { wait }, () => 'entered'));
        expect(error).toMatchObject({
          code: 'LOCK_UNAVAILABLE',
          key: name,
          cause: { message: expect.stringMatching(LOST) },
        });
        expect({ name, early: took < wait - 5, late: took > wait + 1500 }).toEqual({ name, early: false, late: false });
      });
      await Promise.all(refused);
    }
    proxy.up();
    const back = all.map(({ name, locks }) => locks.withLock(name, { wait: '20s' }, () => 'entered'));
    expect(await Promise.all(back)).toEqual(SETTINGS.map(() => 'entered'));
    expect(await redis.client.info('keyspace')).not.toContain('keys=');
  });
});

describe('a connection that is quiet for longer than the socketTimeout of the application', () => {
  it('is no outage', async () => {
    const logger = new RecordingLogger();
    const locks = await open({ port: redis.port, socketTimeout: 100 }, logger);
    const held = await locks.acquire('k', { ttl: '1m' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await held.release()).toBe(true);
    expect(logger.lines).toEqual([]);
  });
});
