import type { LockKind } from './lock-kind.type.js';

/** Who a token belongs to, read from the token itself. */
export interface TokenOwner {
  /** Value in Redis. */
  token: string;
  /** The call that asked, such as `OrderService.pay`; possibly cut to keep the token short. `null` for a foreign token. */
  label: string | null;
  /** Host name, possibly cut; `null` for a foreign token. */
  host: string | null;
  /** Process id; `null` for a foreign token. */
  pid: number | null;
}

/** @publicApi */
export interface LockHolder extends TokenOwner {
  /** Milliseconds until the lease ends; `null` for a foreign key that never expires. */
  remaining: number | null;
  /** True for a holding that has been released and is kept closed until the end of its `minHold`. */
  kept: boolean;
}

/** @publicApi */
export interface LockWaiter extends TokenOwner {
  /** Milliseconds since the waiter took its place (a head start counts as waiting time). */
  waited: number;
}

/**
 * State of one key at one moment. Advisory: it may have changed by the time it is read.
 *
 * @publicApi
 */
export interface LockInspection {
  key: string;
  kind: LockKind;
  /** Whole name of the key in Redis. */
  redisKey: string;
  held: boolean;
  holders: LockHolder[];
  /** In the order in which they will be served. */
  waiters: LockWaiter[];
}

/** @publicApi */
export interface KindOptions {
  /** @default 'lock' */
  kind?: LockKind;
}
