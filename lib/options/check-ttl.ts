import { MIN_TTL } from './defaults.js';
import { parseDuration } from './parse-duration.js';

/**
 * Length of a lease in milliseconds.
 *
 * @throws LockOptionsError
 */
export function checkTtl(ttl: unknown, where: string): number {
  return parseDuration(ttl, { option: 'ttl', where, min: MIN_TTL });
}
