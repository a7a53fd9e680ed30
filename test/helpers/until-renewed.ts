import type { Lease } from 'nestjs-redis-lock';
import { waitUntil } from './wait-until.js';

/** Resolves at the next renewal of a lease: when more of it is left than before. */
export async function untilRenewed(lease: Lease): Promise<void> {
  let last = lease.remaining;
  const grown = () => {
    const before = last;
    last = lease.remaining;
    return last > before;
  };
  await waitUntil(grown, 'renewed');
}
