import type { Redis } from 'ioredis';
import type { Runtime } from '../runtime.js';

const finished = new WeakSet<Redis>();

/**
 * ioredis gives a client up for good when its connection is called off before there is a server to connect to. Its own notice of
 * a failover does that: one that comes while the client asks the Sentinels for the master would be the last of it.
 */
export function keepConnecting(redis: Redis, { runtime }: { readonly runtime: Runtime }): void {
  redis.on('end', () => {
    if (finished.has(redis)) return;
    const delay = redis.options.retryStrategy?.(1);
    const timer = runtime.setTimeout(() => {
      if (!finished.has(redis)) redis.connect().catch(() => undefined);
    }, Number(delay));
    timer.unref?.();
  });
}

/** Ends a client of ours. */
export function finish(redis: Redis): void {
  finished.add(redis);
  redis.disconnect();
}
