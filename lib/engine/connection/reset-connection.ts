import type { Redis } from 'ioredis';
import type { Socket } from 'node:net';

/**
 * Ends a connection with a reset: what the kernel still has to send is thrown away, so that no command of ours reaches the
 * server after we gave it up. ioredis then connects anew.
 */
export function resetConnection(redis: Redis): void {
  const { stream } = redis as unknown as { stream?: Partial<Socket> };
  if (stream?.resetAndDestroy) stream.resetAndDestroy();
  else redis.disconnect(true);
}
