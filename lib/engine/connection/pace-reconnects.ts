import type { Redis } from 'ioredis';
import type { Clock } from '../clock.js';
import type { Runtime } from '../runtime.js';

const FIRST_RETRY = 50;
const LONGEST_RETRY = 1000;

/**
 * Waits longer with every new connection that is of no use. ioredis begins to count anew as soon as it calls itself ready, which
 * it does of a server that then refuses every command, for want of a password or as a replica: it would connect twenty times
 * a second for ever.
 *
 * @returns to be called when a connection turned out to be usable; one that stays so begins the count anew
 */
export function paceReconnects(
  redis: Redis,
  { runtime, clock }: { readonly runtime: Pick<Runtime, 'random'>; readonly clock: Clock },
): () => void {
  let attempts = 0;
  let usableSince = Infinity;
  redis.options.retryStrategy = () => {
    if (clock.now() - usableSince >= LONGEST_RETRY) attempts = 0;
    usableSince = Infinity;
    return Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** Math.min(attempts++, 10)) * (0.75 + runtime.random() / 2);
  };
  return () => void (usableSince = clock.now());
}
