import type { Redis } from 'ioredis';

/**
 * The first words on a connection; the answer is the time. ioredis goes on in database 0 where it could not have the one that
 * was asked for, whose locks are others.
 */
export async function greet(redis: Redis): Promise<unknown> {
  const { db } = redis.options;
  const [time] = await Promise.all([redis.time(), db ? redis.select(db) : undefined]);
  return time;
}
