import type { AcquireRequest } from '../acquire-request.interface.js';

/**
 * Whether a call can wait in the line of its process. The others stand in the queue of Redis themselves: those that want
 * exact order, that try once, that move their ticket, and those whose lease must not be one that somebody has used before.
 */
export function canShare({ kind, fair, wait, renew, minHold, headStart }: AcquireRequest): boolean {
  return kind === 'lock' && !fair && wait > 0 && renew && minHold === 0 && headStart === 0;
}

/** Whether one lease is good for both, one after the other. */
export function haveSameTerms(a: AcquireRequest, b: AcquireRequest): boolean {
  return (
    a.ttl === b.ttl &&
    a.maxHold === b.maxHold &&
    a.replicas?.min === b.replicas?.min &&
    a.replicas?.timeout === b.replicas?.timeout
  );
}
