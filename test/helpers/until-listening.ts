import type { LockState } from './lock-state.js';
import type { RedisUnderTest } from './use-redis.js';
import { waitUntil } from './wait-until.js';

/** Resolves when so many clients can be pushed, as Redis sees it. */
export async function untilListening({ client }: RedisUnderTest, count: number): Promise<void> {
  const channels = () => client.pubsub('CHANNELS', 'lock:wake:*');
  await waitUntil(async () => (await channels()).length === count, `${count} subscribers`);
}

/**
 * Makes a client open its channel: only then does it queue.
 *
 * @param state of a lock that somebody holds and nobody waits for
 * @param wait for that lock, until the signal aborts
 */
export async function openChannel(state: LockState, wait: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const waiting = wait(controller.signal).catch(() => undefined);
  await state.untilWaiting(1);
  controller.abort();
  await waiting;
  await state.untilWaiting(0);
}
