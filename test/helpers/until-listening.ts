import type { RedisUnderTest } from './use-redis.js';
import { waitUntil } from './wait-until.js';

/** Resolves when so many clients can be pushed, as Redis sees it. */
export async function untilListening({ client }: RedisUnderTest, count: number): Promise<void> {
  const channels = () => client.pubsub('CHANNELS', 'lock:wake:*');
  await waitUntil(async () => (await channels()).length === count, `${count} subscribers`);
}

/**
 * Makes a client open its channel, where no other has one.
 *
 * @param wait for a lock that somebody holds, until the signal aborts
 */
export async function openChannel(
  redis: RedisUnderTest,
  wait: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController();
  const waiting = wait(controller.signal).catch(() => undefined);
  await untilListening(redis, 1);
  controller.abort();
  await waiting;
}
