import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis, type RedisOptions } from 'ioredis';
import { startRedisProcess } from '../../tools/redis/index.mjs';
import { freePort } from '../../tools/redis/server-process.mjs';
import { type Authority, type Certificate, readPair, useCertificates } from '../helpers/certificates.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { timed } from '../helpers/timed.js';
import { RedisUnderTest } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const certificates = useCertificates();
const processEvents = useProcessEvents();
const redis = new RedisUnderTest();
const state = new LockState(redis, 'k');
let ours: Authority;
let foreign: Authority;
let server: Certificate;
let tlsPort: number;
let trusting: RedisOptions;

beforeAll(async () => {
  [ours, foreign] = [certificates.authority('ours'), certificates.authority('foreign')];
  tlsPort = await freePort();
  server = ours.issue();
  const { key, cert } = server;
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', ours.certificate.cert];
  // It has a plain port, too, by which the tests look into it.
  redis.server = await startRedisProcess({ args: ['--tls-port', `${tlsPort}`, '--tls-auth-clients', 'no', ...files] });
  redis.client = new Redis(redis.url);
  trusting = { host: '127.0.0.1', port: tlsPort, tls: { ca: ours.ca } };
}, 60_000);

beforeEach(() => redis.client.flushall());

afterEach(() => expect(processEvents.seen).toEqual([]));

afterAll(async () => {
  redis.client.disconnect();
  await redis.server.stop();
});

type Connection = NonNullable<Parameters<typeof openLocks>[0]['connection']>;
const open = async (connection: Connection, module = {}) =>
  (await openLocks({ connection, commandTimeout: 1000, ...module })).locks;

/** From one to the other, over the queue and the wake channel. */
async function expectHandOff(connection: Connection): Promise<void> {
  const [mine, theirs] = [await open(connection), await open(connection, { pollInterval: '1m', handoffTtl: '1m' })];
  for (const kind of ['lock', 'semaphore'] as const) {
    const take = (locks: typeof mine) => (kind === 'lock' ? locks.acquire('k') : locks.acquireSemaphore('k', 1));
    const held = await take(mine);
    const waiting = take(theirs);
    await new LockState(redis, 'k', kind).untilWaiting(1);
    expect(await held.release()).toBe(true);
    expect(await (await waiting).release()).toBe(true);
  }
  expect(await redis.keys()).toEqual([]);
}

/** Fails for the reason that it has, not as busy, and not later than it asked for. */
async function expectRefused(connection: Connection, reason: RegExp): Promise<void> {
  const locks = await open(connection);
  for (const wait of [0, 600]) {
    const { took, error } = await timed(() => locks.withLock('k', { wait }, () => 'entered'));
    expect(error).toMatchObject({ code: 'LOCK_UNAVAILABLE', cause: { message: expect.stringMatching(reason) } });
    expect(took).toBeLessThan(wait + 3000);
  }
  expect(await redis.keys()).toEqual([]);
}

/** Another certificate for the key of the server. */
const certify = (authority: Authority) => redis.client.config('SET', 'tls-cert-file', authority.issue(server).cert);

const present = (mode: 'yes' | 'no') => redis.client.config('SET', 'tls-auth-clients', mode);

/** As a program does that was started with the authority in its environment. */
async function runWithUrl(url: string, env: NodeJS.ProcessEnv): Promise<string> {
  const script = `
    import 'reflect-metadata';
    import { NestFactory } from '@nestjs/core';
    import { LockService, RedisLockModule } from 'nestjs-redis-lock';
    const module = RedisLockModule.forRoot({ connection: '${url}', logger: false });
    const app = await NestFactory.createApplicationContext(module, { logger: false });
    const entered = app.get(LockService).withLock('k', { wait: 5000 }, () => 'entered');
    console.log(await entered.catch(({ code, cause }) => code + ' ' + cause.code));
    await app.close();`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return stdout.trim();
}

describe('a server with TLS', () => {
  it('serves with options, and with a client that was handed in, also by a rediss:// URL', async () => {
    await expectHandOff(trusting);
    const given = new Redis(`rediss://127.0.0.1:${tlsPort}`, { tls: { ca: ours.ca }, lazyConnect: true });
    await expectHandOff(given);
    expect(given.status).toBe('wait');
  });

  it('serves with a rediss:// URL where the process trusts the authority, and only there', async () => {
    const url = `rediss://localhost:${tlsPort}/0`;
    const [trusted, strange] = await Promise.all([
      runWithUrl(url, { NODE_EXTRA_CA_CERTS: ours.certificate.cert }),
      runWithUrl(url, { NODE_EXTRA_CA_CERTS: foreign.certificate.cert }),
    ]);
    expect(trusted).toBe('entered');
    expect(strange).toMatch(/^LOCK_UNAVAILABLE .*(SELF_SIGNED|UNABLE_TO_VERIFY)/);
  });

  it.each<[string, () => Connection, RegExp]>([
    ['an unknown authority', () => ({ ...trusting, tls: { ca: foreign.ca } }), /self.signed|unable to verify/],
    ['an unknown authority, by URL', () => `rediss://127.0.0.1:${tlsPort}`, /self.signed|unable to verify/],
    [
      'a certificate of another host',
      () => ({ ...trusting, tls: { ca: ours.ca, servername: 'elsewhere.test' } }),
      /does not match certificate/,
    ],
    ['a plain connection to the port of TLS', () => ({ port: tlsPort }), /closed|ECONNRESET|not connected/],
    [
      'TLS to a plain port',
      () => ({ ...trusting, port: redis.port }),
      /SSL|TLS|closed|ECONNRESET|ETIMEDOUT|not connected/,
    ],
  ])('is unavailable over %s, and that is said', (_, connection, reason) => expectRefused(connection(), reason));

  it('lets nobody wait for an answer that does not come, nor a late request take the lock', async () => {
    const locks = await open(trusting, { commandTimeout: 500 });
    await locks.withLock('k', () => undefined);
    const pid = redis.server.pid as number;
    process.kill(pid, 'SIGSTOP');
    try {
      const { took, error } = await timed(() => locks.acquire('k', { wait: 800 }));
      expect(error).toMatchObject({ code: 'LOCK_UNAVAILABLE' });
      expect(took).toBeLessThan(3000);
      // Past the moment from which on the server is to leave the request alone.
      await new Promise((resolve) => setTimeout(resolve, 600));
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(await locks.withLock('k', { wait: '20s' }, () => 'entered')).toBe('entered');
    await waitUntil(async () => (await redis.keys()).length === 0, 'nothing to be left');
  });
});

describe('a server that wants certificates of its clients', () => {
  beforeEach(() => present('yes'));
  afterEach(() => present('no'));

  it('serves who presents one', async () => {
    await expectHandOff({ ...trusting, tls: { ca: ours.ca, ...readPair(ours.issue()) } });
  });

  it.each<[string, () => object]>([
    ['without one', () => ({})],
    ['with one of another authority', () => readPair(foreign.issue())],
  ])('is unavailable for a client %s', (_, pair) =>
    expectRefused({ ...trusting, tls: { ca: ours.ca, ...pair() } }, /ECONNRESET|alert|certificate|closed|EPIPE/),
  );
});

describe('a server whose certificate is replaced', () => {
  const everybodyOut = async () => {
    for (const type of ['normal', 'pubsub']) await redis.client.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes');
  };
  afterEach(() => certify(ours));

  it('serves those who wait over new connections', async () => {
    const logger = new RecordingLogger();
    const [mine, theirs] = [await open(trusting), await open(trusting, { logger })];
    const held = await mine.acquire('k', { ttl: '1m' });
    const waiting = theirs.acquire('k', { wait: '30s' });
    await state.untilWaiting(1);
    await certify(ours);
    await everybodyOut();
    await waitUntil(() => logger.lines.length >= 4, 'both connections to be back');
    expect(await held.release()).toBe(true);
    expect(await (await waiting).release()).toBe(true);
    expect(await redis.keys()).toEqual([]);
  });

  it('by one that nobody knows is an outage, with one warning per connection, until it has a good one', async () => {
    const logger = new RecordingLogger();
    const [mine, theirs] = [await open(trusting), await open(trusting, { logger })];
    await mine.acquire('k', { ttl: '1m' });
    const waiting = theirs.acquire('k', { wait: 1500 }).catch((error: unknown) => error);
    await state.untilWaiting(1);
    await certify(foreign);
    await everybodyOut();
    expect(await waiting).toMatchObject({
      code: 'LOCK_UNAVAILABLE',
      cause: { message: expect.stringMatching(/self.signed|unable to verify/) },
    });
    expect(logger.warnings).toHaveLength(2);
    await certify(ours);
    expect(await theirs.withLock('x', { wait: '20s' }, () => 'entered')).toBe('entered');
    await waitUntil(() => logger.lines.length >= 4, 'both connections to be back');
    expect(logger.lines).toHaveLength(4);
  });
});
