import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startRedisProcess } from '../../tools/redis/index.mjs';
import { LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { untilRenewed } from '../helpers/until-renewed.js';
import { useRedisProcess } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedisProcess(['--repl-diskless-sync-delay', '0']);
const processEvents = useProcessEvents();

/** The rules in the sentence of the README that tells which ones are needed. */
function documentedRights(): string[] {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, sentence = ''] = /Rights of a user with an ACL: ([^.]+)\./.exec(readme) ?? [];
  return [...sentence.matchAll(/`([^`]+)`/g)].flatMap(([, rules = '']) => rules.split(/\s+/));
}

const RIGHTS = documentedRights();

const login = async (rules: string[]) => {
  await redis.client.acl('SETUSER', 'app', 'reset', 'on', '>secret', ...rules);
  return redis.url.replace('//', '//app:secret@');
};

const open = async (connection: string, module = {}) => (await openLocks({ connection, ...module })).locks;
type Locks = Awaited<ReturnType<typeof open>>;

const kinds = {
  lock: (locks: Locks, options = {}) => locks.acquire('k', options),
  semaphore: (locks: Locks, options = {}) => locks.acquireSemaphore('k', 1, options),
};

/** One after the other, through the queue. */
async function expectHandOff(kind: keyof typeof kinds, mine: Locks, theirs: Locks): Promise<void> {
  const held = await kinds[kind](mine);
  const waiting = kinds[kind](theirs, { wait: '20s' });
  await new LockState(redis, 'k', kind).untilWaiting(1);
  expect(await held.release()).toBe(true);
  expect(await (await waiting).release()).toBe(true);
  expect(await redis.keys()).toEqual([]);
}

it('the README says which rights a user needs', () => {
  expect(RIGHTS.length).toBeGreaterThan(8);
  for (const rule of RIGHTS) expect(rule).toMatch(/^[~&+]/);
});

describe.each(['lock', 'semaphore'] as const)('a user with the rights of the README, and a %s', (kind) => {
  let url: string;
  let logger: RecordingLogger;

  beforeEach(async () => {
    url = await login(RIGHTS);
    logger = new RecordingLogger();
    await redis.client.call('ACL', 'LOG', 'RESET');
    expect(processEvents.seen).toEqual([]);
  });

  const take = kinds[kind];
  /** What the server refused to anybody, in its own words. */
  const refusals = async () => (await redis.client.call('ACL', 'LOG')) as unknown[];
  const expectNoRefusal = async () => {
    expect(await refusals()).toEqual([]);
    expect(logger.lines).toEqual([]);
  };

  it('takes it, waits for it, is pushed, and passes it on', async () => {
    const slow = { logger, pollInterval: '1m', handoffTtl: '1m' };
    const [mine, theirs] = [await open(url, slow), await open(url, slow)];
    await redis.client.script('FLUSH');
    await expectHandOff(kind, mine, theirs);
    await expectNoRefusal();
  });

  it('has it renewed, kept for minHold, and lost', async () => {
    const locks = await open(url, { logger });
    const held = await take(locks, { ttl: 600, minHold: 100 });
    await untilRenewed(held);
    await held.extend(2000);
    expect(await held.release()).toBe(true);
    await waitUntil(async () => (await redis.keys()).length === 0, 'the end of minHold');
    const lost = await take(locks, { ttl: 600 });
    await redis.client.flushall();
    await waitUntil(() => lost.signal.aborted, 'told of the loss');
    await expectNoRefusal();
  });

  it('looks into it, and releases it by force', async () => {
    const [mine, theirs] = [await open(url, { logger }), await open(url, { logger })];
    const held = await take(mine);
    const waiting = take(theirs, { wait: '20s' });
    await new LockState(redis, 'k', kind).untilWaiting(1);
    const seen = await mine.inspect('k', { kind });
    expect(seen.holders[0]?.token).toBe(held.token);
    expect(seen.waiters).toHaveLength(1);
    expect(await mine.forceRelease('k', { kind })).toBe(true);
    expect(await (await waiting).release()).toBe(true);
    await expectNoRefusal();
  });

  it('gives up its place', async () => {
    const [mine, theirs] = [await open(url, { logger }), await open(url, { logger })];
    const held = await take(mine);
    await expect(take(theirs, { wait: 200 })).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    await new LockState(redis, 'k', kind).untilWaiting(0);
    await held.release();
    await expectNoRefusal();
  });

  it('uses a namespace and a database of its own', async () => {
    const locks = await open(`${url}/3`, { logger, namespace: 'shop' });
    await using _lease = await take(locks);
    await redis.client.select(3);
    expect(await redis.keys()).toEqual([`shop:${kind}:k`]);
    await redis.client.select(0);
    await expectNoRefusal();
  });
});

describe('a user with the rights of the README, and replicas', () => {
  let replica: Awaited<ReturnType<typeof startRedisProcess>>;

  beforeAll(async () => {
    replica = await startRedisProcess({ args: ['--replicaof', '127.0.0.1', `${redis.port}`] });
    const client = new Redis(replica.url);
    const follows = async () => (await client.info('replication')).includes('master_link_status:up');
    await waitUntil(follows, 'the replica').finally(() => client.disconnect());
  }, 60_000);
  afterAll(() => replica.stop());

  it('has its grants confirmed', async () => {
    const locks = await open(await login(RIGHTS));
    expect(await locks.withLock('k', { replicas: { min: 1, timeout: 5000 } }, () => 'entered')).toBe('entered');
  });
});

describe('a user with less', () => {
  it('than the channel polls, and is told so once', async () => {
    const logger = new RecordingLogger();
    const url = await login(RIGHTS.filter((rule) => !rule.startsWith('&')).concat('resetchannels'));
    const module = { logger, handoffTtl: 900 };
    const [mine, theirs] = [await open(url), await open(url, module)];
    for (let round = 0; round < 2; round++) await expectHandOff('lock', mine, theirs);
    expect(logger.warnings).toEqual([expect.stringContaining('lock:wake:*')]);
    expect(logger.lines).toHaveLength(1);
  });

  it.each([
    ['INFO', '-info'],
    ['SCRIPT LOAD and the rest of SCRIPT', '-script'],
    ['whatever administers a server', '-@admin'],
    ['what is dangerous', '-@dangerous'],
  ])('than %s does the same, without a word', async (_, rule) => {
    const logger = new RecordingLogger();
    const url = await login([...RIGHTS, rule]);
    await redis.client.script('FLUSH');
    await expectHandOff('lock', await open(url, { logger }), await open(url, { logger }));
    await expectHandOff('semaphore', await open(url, { logger }), await open(url, { logger }));
    expect(logger.lines).toEqual([]);
  });

  const needed = ['~*lock:*', '~*semaphore:*', '+@read', '+@write', '+@scripting', '+time'];

  it.each(needed)('than %s gets nothing, and hears why', async (rule) => {
    expect(RIGHTS).toContain(rule);
    // What is named later would let it in, too.
    const others = RIGHTS.filter((one) => one !== rule && !/^~\*(queue|seen)/.test(one));
    const url = await login(others);
    const [mine, theirs] = [await open(url), await open(url)];
    const failed = await expectHandOff('lock', mine, theirs)
      .then(() => expectHandOff('semaphore', mine, theirs))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(failed).toMatchObject({
      code: 'LOCK_UNAVAILABLE',
      cause: { message: expect.stringMatching(/NOPERM|ACL|run/) },
    });
  });
});
