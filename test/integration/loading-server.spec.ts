import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startRedisProcess } from '../../tools/redis/index.mjs';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { timed } from '../helpers/timed.js';
import { RedisUnderTest } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = new RedisUnderTest();
const processEvents = useProcessEvents();
const KEYS = 8_000;
/** Makes it load for some seconds; it looks at its clients whenever it has read two megabytes. */
const SLOWLY = ['--key-load-delay', '100'];
const ARGS = ['--rdbcompression', 'no'];
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'redis-lock-loading-'));
  redis.server = await startRedisProcess({ args: ['--dir', dir, ...ARGS] });
  redis.client = new Redis(redis.url);
  redis.client.on('error', () => undefined);
  await redis.client.eval(`for i = 1, ${KEYS} do redis.call('SET', 'data:' .. i, string.rep('x', 4000)) end`, 0);
}, 60_000);

afterAll(async () => {
  redis.client.disconnect();
  await redis.server.stop();
  rmSync(dir, { recursive: true, force: true });
});

it('a server that loads its data is unavailable, says so, and serves who still waits when it has', async () => {
  const logger = new RecordingLogger();
  const { locks } = await openLocks({ connection: redis.url, logger, commandTimeout: 500 });
  const kept = await locks.acquire('kept', { ttl: '1m' });
  await redis.client.save();
  const { port } = redis;
  await redis.server.stop();
  const restarted = startRedisProcess({ port, args: ['--dir', dir, ...SLOWLY] });
  const loading = {
    code: 'LOCK_UNAVAILABLE',
    cause: { name: 'ReplyError', message: expect.stringMatching(/^LOADING/) },
  };
  const causeNow = async () => {
    const { error } = await timed(() => locks.acquire('k', { wait: 0 }));
    return String((error as Error | undefined)?.cause);
  };
  await waitUntil(async () => (await causeNow()).includes('LOADING'), 'a server that loads');
  const patient = locks.withLock('k', { wait: '30s' }, () => 'entered');
  const [{ took, error }] = await Promise.all([
    timed(() => locks.acquire('other', { wait: 600 })),
    expect(locks.inspect('k')).rejects.toMatchObject(loading),
  ]);
  expect(error).toMatchObject(loading);
  expect(took).toBeLessThan(3000);
  redis.server = await restarted;
  expect(await patient).toBe('entered');
  // It was saved with the rest.
  expect(kept.held).toBe(true);
  expect(await locks.tryAcquire('kept', { reentrant: false })).toBeNull();
  expect(await kept.release()).toBe(true);
  expect((await redis.keys()).filter((key) => !key.startsWith('data:'))).toEqual([]);
  expect(logger.lines).toHaveLength(2);
  expect(processEvents.seen).toEqual([]);
});
