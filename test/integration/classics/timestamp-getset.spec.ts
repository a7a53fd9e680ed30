import { describe, expect, it } from '@jest/globals';
import { useFaultProxy } from '../../helpers/fault-proxy.js';
import { LockState } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';

const redis = useRedis();
const wayOfC1 = useFaultProxy(redis);
const wayOfC4 = useFaultProxy(redis);
const state = new LockState(redis, 'report');
const KEY = state.owner;

/** Clients that outlast what a test holds back. */
const patient = { commandTimeout: '10s' };

describe('Timestamp lock by GETSET: whoever gets an expired stamp back has won', () => {
  it('the classic: the loser moves the expiry of the winner, who then cannot release', async () => {
    const now = 1_000_000;
    const C1 = String(now + 1_000);
    const C4 = String(now + 60_000);
    await redis.client.setnx(KEY, now - 1); // C0 took it and died.
    const seenByC1 = Number(await redis.client.get(KEY));
    const seenByC4 = Number(await redis.client.get(KEY));
    expect([seenByC1 < now, seenByC4 < now]).toEqual([true, true]);

    expect(Number(await redis.client.getset(KEY, C1))).toBeLessThan(now); // C1 has won.
    expect(Number(await redis.client.getset(KEY, C4))).toBeGreaterThan(now); // C4 has lost,

    // but from now on everybody believes its stamp: if C1 dies, for 59 s too long.
    expect(await redis.client.get(KEY)).toBe(C4);
    const mine = (await redis.client.get(KEY)) === C1;
    expect(mine).toBe(false); // So C1 does not delete it.
  });

  it('here: neither a try nor the waiting of a loser moves the end of the winner, who releases', async () => {
    const c1 = await openLocks({ connection: wayOfC1.url, ...patient });
    const c4 = await openLocks({ connection: wayOfC4.url, ...patient });
    const c0 = await openLocks({ connection: redis.url });
    await c0.locks.acquire('report', { ttl: 1_000, renew: false });
    expect((await c1.locks.inspect('report')).held).toBe(true);
    expect((await c4.locks.inspect('report')).held).toBe(true);
    const heldC1 = wayOfC1.hold('requests', { of: 'commands' });
    const heldC4 = wayOfC4.hold('requests', { of: 'commands' });
    const winner = c1.locks.acquire('report', { ttl: 5_000, renew: false });
    const loser = c4.locks.tryAcquire('report', { ttl: 60_000 });
    await waitUntil(async () => (await redis.client.exists(KEY)) === 0, 'the end of the lease of C0');

    heldC1.letGo();
    const lease = await winner;
    const rest = await redis.client.pttl(KEY);
    heldC4.letGo();
    expect(await loser).toBeNull();
    const waiting = c4.locks.acquire('report', { ttl: 60_000 });
    await state.untilWaiting(1);

    expect(await redis.client.get(KEY)).toBe(lease.token);
    expect(await redis.client.pttl(KEY)).toBeLessThanOrEqual(rest);
    expect(await lease.release()).toBe(true);
    expect((await waiting).held).toBe(true);
  });
});
