import { describe, expect, it } from '@jest/globals';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const wayOfC1 = useFaultProxy(redis);
const KEY = new LockState(redis, 'report').owner;

describe('Release in two steps: GET says that the lock is mine, then DEL', () => {
  const take = (token: string, lease: number) => redis.client.set(KEY, token, 'PX', lease, 'NX');

  it('the classic: a lock that changed hands between the two is deleted under its new holder', async () => {
    expect(await take('C1', 60_000)).toBe('OK');
    expect(await redis.client.get(KEY)).toBe('C1'); // C1 checks: mine.
    await redis.client.pexpire(KEY, 0); // Its lease runs out,
    expect(await take('C2', 60_000)).toBe('OK'); // and C2 gets the lock.
    expect(await redis.client.del(KEY)).toBe(1); // C1 goes on with its release.
    expect(await take('C3', 60_000)).toBe('OK'); // C2 and C3 are inside.
  });

  it('here: a release that arrives after the lock changed hands answers false and touches nothing [BC-51]', async () => {
    const c1 = await openLocks({ connection: wayOfC1.url, commandTimeout: '10s' });
    const others = await openLocks({ connection: redis.url });
    const late = await c1.locks.acquire('report', { ttl: 1_000, renew: false });
    const held = wayOfC1.hold('requests', { of: 'commands' });
    expect(late.held).toBe(true); // C1 checks: mine.
    const release = late.release();
    await waitUntil(() => held.pieces === 1, 'the release is on its way');
    const second = await others.locks.acquire('report');

    held.letGo();
    expect(await release).toBe(false);
    expect(await redis.client.get(KEY)).toBe(second.token);
    expect(await others.locks.tryAcquire('report')).toBeNull(); // C3
    expect(await second.release()).toBe(true);
  });
});
