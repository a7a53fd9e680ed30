import { wrongValue } from './check-value.js';

const HIGHEST = 2 ** 31 - 1;

/**
 * How many may hold a semaphore at once.
 *
 * @throws LockOptionsError
 */
export function checkLimit(limit: unknown, where: string): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST) return limit;
  throw wrongValue(limit, 'the limit', where, `it must be a whole number from 1 to ${HIGHEST}`);
}
