import type { RedisUnderTest } from './use-redis.js';
import { waitUntil } from './wait-until.js';

/** Resolves when so many clients can be pushed, as Redis sees it. */
export async function untilListening({ client }: RedisUnderTest, count: number): Promise<void> {
  const channels = () => client.pubsub('CHANNELS', 'lock:wake:*');
  await waitUntil(async () => (await channels()).length === count, `${count} subscribers`);
}
