import { afterEach, describe, expect, it } from '@jest/globals';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { asksFor, loadScripts } from '../helpers/script-requests.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const count = new CommandCount(redis);

const open = async (module = {}) => {
  const { locks } = await openLocks({ connection: redis.url, ...module });
  return locks;
};
const KEYS = Array.from({ length: 32 }, (_, i) => `k${i}`);
const LONG = { ttl: '1m', wait: '1m' };

describe.each(['lock', 'semaphore'] as const)('32 of different keys in one tick: %s', (kind) => {
  const take = (locks: Awaited<ReturnType<typeof open>>, key: string, options = {}) =>
    kind === 'lock'
      ? locks.acquire(key, { ...LONG, ...options })
      : locks.acquireSemaphore(key, 1, { ...LONG, ...options });

  it('are one command to have, and one to give back', async () => {
    const locks = await open();
    await (await take(locks, 'first')).release();
    await count.reset();
    const leases = await Promise.all(KEYS.map((key) => take(locks, key)));
    expect(await count.scripts()).toBe(1);
    expect(await redis.keys()).toEqual(KEYS.map((key) => `${kind}:${key}`).sort());
    await Promise.all(leases.map((lease) => lease.release()));
    expect(await count.scripts()).toBe(2);
    expect(await redis.keys()).toEqual([]);
  });

  it('a busy one among them queues in that command, and is handed on in one', async () => {
    const [mine, theirs] = [await open(), await open()];
    // Opens the wake channel.
    const held = await take(mine, 'k7');
    const early = take(theirs, 'k7');
    await new LockState(redis, 'k7', kind).untilWaiting(1);
    await held.release();
    await (await early).release();

    const [busy, other] = [await take(mine, 'k7'), await take(mine, 'other')];
    await count.reset();
    const taken = KEYS.map((key) => take(theirs, key));
    const free = await Promise.all(taken.filter((_, i) => i !== 7));
    await new LockState(redis, 'k7', kind).untilWaiting(1);
    expect(await count.scripts()).toBe(1);
    expect(await Promise.all([other.release(), busy.release()])).toEqual([true, true]);
    const handed = await (taken[7] as (typeof taken)[0]);
    expect(await count.scripts()).toBe(2);
    expect(handed.fence).toBeGreaterThan(busy.fence);
    expect(await Promise.all([handed, ...free].map((lease) => lease.release()))).toEqual(KEYS.map(() => true));
    expect(await redis.keys()).toEqual([]);
  });

  it('one that is called off in that tick has nothing in Redis, and the others have theirs', async () => {
    const locks = await open();
    await (await take(locks, 'first')).release();
    const control = new AbortController();
    const gone = take(locks, 'gone', { signal: control.signal });
    const taken = KEYS.map((key) => take(locks, key));
    control.abort(new Error('changed my mind'));
    await expect(gone).rejects.toThrow('changed my mind');
    const leases = await Promise.all(taken);
    await waitUntil(async () => !(await redis.keys()).includes(`${kind}:gone`), 'the cancel');
    await Promise.all(leases.map((lease) => lease.release()));
    expect(await redis.keys()).toEqual([]);
  });

  it('a key of another type is the error of whoever asked for it, and of nobody else', async () => {
    const locks = await open();
    await redis.client.hset(`${kind}:k3`, 'a', '1');
    const results = await Promise.allSettled(KEYS.map((key) => take(locks, key)));
    const failed = results.flatMap((result, i) => (result.status === 'rejected' ? [[i, result.reason] as const] : []));
    expect(failed).toEqual([
      [
        3,
        expect.objectContaining({
          code: 'LOCK_UNAVAILABLE',
          key: 'k3',
          cause: expect.objectContaining({ name: 'ReplyError', message: expect.stringMatching(/WRONGTYPE/) }),
        }),
      ],
    ]);
    const leases = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(await Promise.all(leases.map((lease) => lease.release()))).toEqual(leases.map(() => true));
    expect(await redis.keys()).toEqual([`${kind}:k3`]);
  });

  it('a key without the right to it is the error of whoever asked for it, and of nobody else', async () => {
    await redis.client.acl('SETUSER', 'some', 'reset', 'on', '>secret', '+@all', '&*', '~*:{*}', '~*:k1*');
    const locks = await open({ connection: redis.url.replace('//', '//some:secret@') });
    const results = await Promise.allSettled(['k1', 'other', 'k12'].map((key) => take(locks, key)));
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { reason: { key: 'other', cause: { message: expect.stringMatching(/NOPERM/) } } },
      { status: 'fulfilled' },
    ]);
    expect(await redis.keys()).toEqual([`${kind}:k1`, `${kind}:k12`]);
  });

  it('a full server refuses all of them, and nothing is written', async () => {
    const locks = await open();
    await (await take(locks, 'first')).release();
    await redis.client.config('SET', 'maxmemory', 1);
    const results = await Promise.allSettled(KEYS.map((key) => take(locks, key)));
    await redis.client.config('SET', 'maxmemory', 0);
    for (const result of results) expect(result).toMatchObject({ reason: { cause: { message: /OOM/ } } });
    expect(await redis.keys()).toEqual([]);
  });

  it('a connection that is cut with a batch under way leaves nobody an owner who does not know of it', async () => {
    const name = `${kind}-acquire` as const;
    await loadScripts(redis);
    const locks = await open({ connection: proxy.url, commandTimeout: 1_000 });
    await (await take(locks, 'first')).release();
    const lost = proxy.loseReplyTo(asksFor(name));
    const tries = KEYS.slice(0, 16).map((key) => take(locks, key, { wait: 0 }).catch(() => undefined));
    const waits = KEYS.slice(16).map((key) => take(locks, key));
    await lost;
    const tried = (await Promise.all(tries)).filter((lease) => lease !== undefined);
    const waited = await Promise.all(waits);
    expect(waited.filter(({ held }) => held)).toHaveLength(16);
    await Promise.all([...tried, ...waited].map((lease) => lease.release()));
    await waitUntil(async () => (await redis.keys()).length === 0, 'no owner to be left');
  });
});

it('a lock that is given back and asked for again in one tick is had at once', async () => {
  const locks = await open();
  const held = await locks.acquire('k', LONG);
  const [released, next] = await Promise.all([held.release(), locks.acquire('k', { wait: 0 })]);
  expect(released).toBe(true);
  expect(await next.release()).toBe(true);
  expect(await redis.keys()).toEqual([]);
});

afterEach(async () => {
  await redis.client.config('SET', 'maxmemory', 0);
});
