import type { AcquireRequest } from '../engine/acquire-request.interface.js';

/**
 * By the bytes of the owner key, which is the same order for everybody: two callers that need the same locks then never hold
 * what the other one waits for.
 */
export function inLockOrder(requests: readonly AcquireRequest[]): readonly AcquireRequest[] {
  if (requests.length === 1) return requests;
  return requests
    .map((request) => ({ request, bytes: Buffer.from(request.keys.owner) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ request }) => request);
}
