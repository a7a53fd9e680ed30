import type { InjectionToken, LoggerService, ModuleMetadata, OptionalFactoryDependency, Type } from '@nestjs/common';
import type { ClusterNode, ClusterOptions, RedisOptions } from 'ioredis';
import type { Duration } from './duration.type.js';
import type { LockDecoratorOptions } from './lock-options.interface.js';

/**
 * A `Redis` or `Cluster` of ioredis, of whatever copy and major: to the compiler the classes of two copies are two types.
 *
 * @publicApi
 */
export interface RedisClient {
  readonly status: string;
  readonly options: object;
  duplicate(...override: never[]): unknown;
  defineCommand(...definition: never[]): unknown;
}

/**
 * A Redis Cluster by some of its nodes, from which the others are found, and by options of ioredis.
 *
 * @publicApi
 */
export interface RedisClusterConnection extends ClusterOptions {
  nodes: ClusterNode[];
}

/**
 * A process whose callers want the same lock stands in the queue of Redis once. When it is its turn the lock is passed on from
 * one caller of the process to the next without Redis, in the order in which they came, until one of these limits is reached
 * and other processes have their turn. `@FairLock` and `fair: true` do without it.
 *
 * @publicApi
 */
export interface CohortOptions {
  /**
   * How often the lock is passed on in one turn. `0` makes every lock as exact as a fair one.
   *
   * @default 128
   */
  passes?: number;
  /**
   * For how long after the grant it is passed on. A section that runs when the time is over is not cut short.
   *
   * @default '50ms'
   */
  time?: Duration;
}

/** Defaults that a single acquisition may override. */
export type LockDefaults = Omit<LockDecoratorOptions, 'signal' | 'connection'>;

/**
 * Options of `RedisLockModule`.
 *
 * @publicApi
 */
export interface RedisLockModuleOptions {
  /**
   * Where Redis is: a URL, ioredis options (also for Sentinel), `{ nodes: [...] }` for a Cluster, or a ready client of ioredis,
   * `Redis` or `Cluster`. A client that is handed in is duplicated; it is never subscribed on, changed or closed.
   *
   * @default 'redis://localhost:6379'
   */
  connection?: string | RedisOptions | RedisClusterConnection | RedisClient;
  /** Text in front of every key, separated by a colon. Applications with different namespaces do not see each other. */
  namespace?: string;
  /** Defaults of every acquisition. */
  defaults?: LockDefaults;
  /**
   * Longest time to wait for the answer to one command.
   *
   * @default '2s'
   */
  commandTimeout?: Duration;
  /**
   * Lease that a waiter gets when the lock is handed to it, until its first renewal. At least 500 ms. A section that blocks
   * the event loop from its first line has only this long.
   *
   * @default '3s'
   */
  handoffTtl?: Duration;
  /**
   * Longest time between two looks of a waiting process at a lock, in case that a message got lost.
   *
   * @default the value of `handoffTtl`
   */
  pollInterval?: Duration;
  /** How much of its turn a process may keep for its own callers; see `CohortOptions`. */
  cohort?: CohortOptions;
  /**
   * How long a shutdown waits for work under a lock to end.
   *
   * @default '10s'
   */
  shutdownTimeout?: Duration;
  /** Where messages go: `false` for nowhere, or a logger; Nest's logger by default. */
  logger?: false | LoggerService;
}

/** @publicApi */
export interface RedisLockOptionsFactory {
  createRedisLockOptions(): Promise<RedisLockModuleOptions> | RedisLockModuleOptions;
}

/** What stands beside the factory in the asynchronous form, since Nest needs it before the factory runs. */
export interface RedisLockModuleExtras {
  /**
   * Name of this connection, for `@InjectLockService(name)` and the `connection` option. Only the unnamed module provides
   * the class `LockService`.
   */
  name?: string;
  /**
   * Make the service known to all modules.
   *
   * @default true
   */
  isGlobal?: boolean;
}

/** @publicApi */
export interface RedisLockModuleAsyncOptions extends RedisLockModuleExtras, Pick<ModuleMetadata, 'imports'> {
  // What is injected is known to Nest only.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  useFactory?: (...args: any[]) => Promise<RedisLockModuleOptions> | RedisLockModuleOptions;
  useClass?: Type<RedisLockOptionsFactory>;
  useExisting?: Type<RedisLockOptionsFactory>;
  inject?: (InjectionToken | OptionalFactoryDependency)[];
}
