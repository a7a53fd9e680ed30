import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import type { RedisClusterConnection } from '../../interfaces/module-options.interface.js';
import { OWN_SETTINGS } from './own-settings.js';

const LONGEST_RETRY = 1000;
const SENTINEL_TIMEOUT = 2000;
const LONGER_EACH_TIME = (attempt: number): number => Math.min(attempt * 50, LONGEST_RETRY);

/** What a connection may be given as, once it was checked. */
export type Connection = string | RedisOptions | Redis | RedisClusterConnection | Cluster;

/** One server, or the master that Sentinels name. Makes connections of our own to it. */
export interface SingleSource {
  readonly kind: 'single';
  /** The `keyPrefix` of the connection that was asked for; it becomes part of the names of the keys. */
  readonly keyPrefix: string;
  /** A new connection, not yet opened. */
  make(): Redis;
}

export interface ClusterSource {
  readonly kind: 'cluster';
  readonly keyPrefix: string;
  /** Not yet opened; finds out which node has what, and is not used for more. */
  readonly cluster: Cluster;
}

/** Only copied from: a client of the application is never connected by us, and never changed. */
export function readConnection(connection: Connection): SingleSource | ClusterSource {
  if (isCluster(connection)) return clusterSource(connection);
  const source = isClient(connection) ? connection : readOptions(connection);
  return {
    kind: 'single',
    keyPrefix: source.options.keyPrefix ?? '',
    make: () => {
      // Without it, a failover by hand goes unnoticed for as long as the old master answers, about eleven seconds.
      const { sentinels, sentinelCommandTimeout = SENTINEL_TIMEOUT } = source.options;
      return source.duplicate({
        ...OWN_SETTINGS,
        sentinelRetryStrategy: LONGER_EACH_TIME,
        failoverDetector: Boolean(sentinels),
        sentinelCommandTimeout,
      });
    },
  };
}

function clusterSource(connection: RedisClusterConnection | Cluster): ClusterSource {
  const { nodes, ...options } = isClient(connection) ? { nodes: [], ...connection.options } : connection;
  const own: ClusterOptions = {
    ...options,
    // Its timer keeps a process up, even for a connection that was never made.
    redisOptions: { ...options.redisOptions, keyPrefix: '', db: 0, disconnectTimeout: 200 },
    keyPrefix: '',
    lazyConnect: true,
    enableReadyCheck: false,
    // Its nodes are only asked by us, over connections of their own.
    shardedSubscribers: false,
    enableOfflineQueue: false,
    clusterRetryStrategy: LONGER_EACH_TIME,
    clusterNodeRetryStrategy: null,
    slotsRefreshInterval: undefined,
  };
  const cluster = isClient(connection) ? connection.duplicate([], own) : new Cluster(nodes, own);
  return { kind: 'cluster', keyPrefix: options.keyPrefix ?? options.redisOptions?.keyPrefix ?? '', cluster };
}

/** Lets ioredis read a URL with all its forms; nothing connects. */
function readOptions(connection: string | RedisOptions): Redis {
  if (typeof connection === 'string') return new Redis(connection, { lazyConnect: true });
  return new Redis({ ...connection, lazyConnect: true });
}

/** By shape, since the application may have another copy of ioredis than we have. */
function isClient<T extends object>(connection: T | string): connection is Extract<T, Redis | Cluster> {
  return typeof connection === 'object' && 'duplicate' in connection && 'options' in connection;
}

function isCluster(connection: Connection): connection is RedisClusterConnection | Cluster {
  if (typeof connection === 'string') return false;
  return 'nodes' in connection || ('isCluster' in connection && connection.isCluster);
}
