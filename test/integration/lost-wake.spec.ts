import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Lease } from 'nestjs-redis-lock';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { LockState } from '../helpers/lock-state.js';
import { openLocks, type LockClient } from '../helpers/open-locks.js';
import { timed } from '../helpers/timed.js';
import { untilListening } from '../helpers/until-listening.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const state = new LockState(redis, 'k');

const POLL = 600;
const times = { handoffTtl: 1000, pollInterval: POLL, commandTimeout: 300 };
/** A poll comes up to a tenth later, so that processes do not poll in step; the rest is for a slow machine. */
const ONE_POLL = POLL * 1.1 + 400;
const isGrant = (piece: string) => piece.includes('grant ');
const subscribes = (piece: string) => /\r\nsubscribe\r\n/i.test(piece);

let holder: LockClient;
let waiter: LockClient;
let held: Lease;

beforeEach(async () => {
  [holder, waiter] = await Promise.all([
    openLocks({ connection: redis.url, ...times }),
    openLocks({ connection: proxy.url, ...times }),
  ]);
  await waiter.locks.inspect('k');
  held = await holder.locks.acquire('k');
});

describe('a waiter gets the lock within one poll', () => {
  const expectWithinOnePoll = async (waiting: Promise<Lease>) => {
    const { took } = await timed(() => held.release().then(() => waiting));
    expect(took).toBeLessThan(ONE_POLL);
    expect(await (await waiting).release()).toBe(true);
  };

  it('when its message is lost with the connection of the subscriber', async () => {
    const waiting = waiter.locks.acquire('k');
    await state.untilWaiting(1);
    const lost = proxy.loseReply(isGrant);
    await expectWithinOnePoll(waiting);
    await lost;
  });

  it('when Redis throws its subscriber out [BC-33]', async () => {
    const waiting = waiter.locks.acquire('k');
    await state.untilWaiting(1);
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await expectWithinOnePoll(waiting);
  });

  it('when its message stays away on a connection that looks healthy', async () => {
    const waiting = waiter.locks.acquire('k');
    await state.untilWaiting(1);
    proxy.blackhole('subscriber');
    await expectWithinOnePoll(waiting);
  });

  it('when Redis does not see its half-open subscriber any more', async () => {
    const waiting = waiter.locks.acquire('k');
    await state.untilWaiting(1);
    proxy.halfOpen('subscriber');
    await untilListening(redis, 0);
    await expectWithinOnePoll(waiting);
  });

  it('and sooner: as soon as a lost subscriber is back', async () => {
    const { locks } = await openLocks({ connection: proxy.url, pollInterval: '1m', handoffTtl: '1m' });
    const waiting = locks.acquire('k');
    await state.untilWaiting(1);
    proxy.cut('subscriber');
    await untilListening(redis, 0);
    await expectWithinOnePoll(waiting);
  });

  it('and after that the next by message again', async () => {
    const waiting = waiter.locks.acquire('k');
    await state.untilWaiting(1);
    proxy.blackhole('subscriber');
    await expectWithinOnePoll(waiting);
    const attempts = proxy.attempts;
    await waitUntil(() => proxy.attempts > attempts, 'a new subscriber');
    held = await holder.locks.acquire('k');
    const next = waiter.locks.acquire('k');
    await state.untilWaiting(1);
    const { took } = await timed(() => held.release().then(() => next));
    expect(took).toBeLessThan(POLL / 2);
  });
});

describe('a release between the first try and the subscription [BC-07]', () => {
  it('is not missed, since nobody queues before the channel is confirmed', async () => {
    const subscription = proxy.hold('requests', { from: subscribes });
    const waiting = waiter.locks.acquire('k');
    await waitUntil(() => subscription.pieces > 0, 'subscribing');
    expect(await state.waiters()).toBe(0);
    await held.release();
    subscription.letGo();
    expect((await timed(() => waiting)).took).toBeLessThan(POLL / 2);
  });

  it('is told by message once the channel is there, also when it came while a poll was under way', async () => {
    const long = { handoffTtl: '10s', pollInterval: '10s', commandTimeout: 300 };
    const patient = await openLocks({ connection: proxy.url, ...long });
    await patient.locks.inspect('k');
    const subscription = proxy.hold('requests', { from: subscribes });
    const waiting = patient.locks.acquire('k');
    await state.untilWaiting(1);
    const confirmation = proxy.hold('requests', { of: 'commands', from: (piece) => piece.includes('hello') });
    subscription.letGo();
    await waitUntil(() => confirmation.pieces > 1, 'a poll right behind the confirmation');
    confirmation.letGo();
    const marks = async () => Object.entries(await redis.client.hgetall(state.seen));
    const pushable = async () => (await marks()).some(([name, mark]) => name.includes('-') && Number(mark) > 0);
    await waitUntil(pushable, 'Redis knows that it can be pushed', 2000);
    const { took } = await timed(() => held.release().then(() => waiting));
    expect(took).toBeLessThan(1000);
  });

  it('is found by polling when the channel does not come', async () => {
    proxy.hold('requests', { from: subscribes });
    const waiting = waiter.locks.acquire('k');
    await state.untilWaiting(1);
    await held.release();
    expect((await timed(() => waiting)).took).toBeLessThan(ONE_POLL);
  });
});
