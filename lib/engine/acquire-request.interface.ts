import type { AsyncResource } from 'node:async_hooks';
import type { RedisKeys } from '../keys/redis-keys.js';
import type { ReplicaQuorum } from '../options/settings.interface.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';

/** One acquisition as the engine takes it: everything validated, every time in milliseconds. */
export interface AcquireRequest {
  readonly kind: LockKind;
  /** Name as the caller gave it, for errors and `lease.key`. */
  readonly name: string;
  readonly keys: RedisKeys;
  /** Who asks, for people who look into Redis. */
  readonly label: string;
  /** Asked for by work that holds another lock here: a shutdown lets it go on to its end. */
  readonly inside: boolean;
  readonly ttl: number;
  readonly renew: boolean;
  /** Strict arrival order over all processes. */
  readonly fair: boolean;
  /** 0 = one try; Infinity = no limit. */
  readonly wait: number;
  readonly signal?: AbortSignal | undefined;
  readonly maxHold: number;
  readonly minHold: number;
  readonly headStart: number;
  /** Replicas that must have the grant before the caller gets it; none when undefined. */
  readonly replicas?: ReplicaQuorum | undefined;
  /** In which its events are told. */
  readonly context?: AsyncResource | undefined;
  /** Permits taken; 1 for a lock. */
  readonly weight: number;
  /** Permits there are in the caller's eyes; 1 for a lock. */
  readonly limit: number;
}
