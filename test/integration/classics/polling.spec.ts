import { describe, expect, it } from '@jest/globals';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { watch } from '../../helpers/watch.js';

const redis = useRedis();
const wayOfA = useFaultProxy(redis);
const state = new LockState(redis, 'report');
const KEY = state.owner;

describe('Polling lock: SET NX, and again after a pause', () => {
  const take = (token: string) => redis.client.set(KEY, token, 'PX', 60_000, 'NX');

  it('the classic: who asks first after the release wins, and it is a later caller', async () => {
    expect(await take('holder')).toBe('OK');
    expect(await take('A')).toBeNull(); // A is first, and sleeps.
    expect(await take('B')).toBeNull(); // B is second, and sleeps.
    await redis.client.del(KEY);
    expect(await take('newcomer')).toBe('OK'); // Never waited.
    await redis.client.del(KEY);
    expect(await take('B')).toBe('OK'); // B wakes up before A does.
    expect(await take('A')).toBeNull();
  });

  it('here: the first who waits has the lock with the release, even while no news reaches it [BC-48]', async () => {
    const holder = await openLocks({ connection: redis.url });
    const a = await openLocks({ connection: wayOfA.url });
    const b = await openLocks({ connection: redis.url });
    const newcomer = await openLocks({ connection: redis.url });
    const held = await holder.locks.acquire('report');
    const first = a.locks.acquire('report');
    await state.untilWaiting(1);
    const second = b.locks.acquire('report');
    await state.untilWaiting(2);
    const [tokenOfA] = (await state.tickets()).map(({ token }) => token);
    const hasSecond = watch(second);

    const asleep = wayOfA.hold('replies'); // A sleeps.
    await held.release();
    expect(await newcomer.locks.tryAcquire('report')).toBeNull();
    await b.locks.inspect('report'); // Answered after any grant to B.
    expect(hasSecond()).toBe(false);
    expect(await redis.client.get(KEY)).toBe(tokenOfA);

    asleep.letGo();
    const lease = await first;
    expect(lease.token).toBe(tokenOfA);
    await lease.release();
    expect((await second).fence).toBeGreaterThan(lease.fence);
  });
});
