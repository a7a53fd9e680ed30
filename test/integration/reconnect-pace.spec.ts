import { afterEach, describe, expect, it } from '@jest/globals';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { openLocks } from '../helpers/open-locks.js';
import { useProcessEvents } from '../helpers/process-events.js';
import type { ProtocolOptions } from '../helpers/protocols.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const processEvents = useProcessEvents();

const password = (text: string) => () => redis.client.config('SET', 'requirepass', text);
const right = (rule: string) => () =>
  redis.client.acl('SETUSER', 'app', 'reset', 'on', '>secret', '+@all', '~*', '&*', rule);
const nothing = () => undefined;

afterEach(async () => {
  await password('')();
  await redis.client.replicaof('NO', 'ONE');
  expect(processEvents.seen).toEqual([]);
});

/** ioredis calls all of these ready, as soon as they are connected. */
describe('a server that takes connections and refuses every command', () => {
  it.each<[string, ProtocolOptions, () => unknown, () => unknown]>([
    ['for want of a password', {}, password('another'), password('')],
    ['for want of a password, over RESP2', { protocol: 2 }, password('another'), password('')],
    ['over a wrong password', { password: 'wrong', protocol: 2 }, password('another'), password('wrong')],
    ['over a missing right', { username: 'app', password: 'secret' }, right('-time'), right('+time')],
    ['over a database that it has not', { db: 99 }, nothing, nothing],
    ['as a replica', {}, () => redis.client.replicaof('127.0.0.1', 1), () => redis.client.replicaof('NO', 'ONE')],
  ])('is asked less and less often: %s', async (_, options, refuse, allow) => {
    await refuse();
    const start = performance.now();
    const { locks } = await openLocks({ connection: { ...options, port: proxy.port } });
    const waiting = locks.withLock('k', { wait: '30s' }, () => 'done').catch((error: unknown) => error);
    await waitUntil(() => proxy.attempts >= 6, 'six attempts');
    expect(performance.now() - start).toBeGreaterThan(1000);
    await allow();
    if (allow !== nothing) expect(await waiting).toBe('done');
  });
});
