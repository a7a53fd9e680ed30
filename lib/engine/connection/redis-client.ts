import { Redis, type RedisOptions } from 'ioredis';

const LONGEST_SENTINEL_RETRY = 1000;
const SENTINEL_TIMEOUT = 2000;

/**
 * Settings of our own connections. Whatever a client that was handed in is set to, these are ours: the engine bounds every
 * wait itself, knows what was sent twice, and puts the key prefix in front by its own.
 */
const OWN_SETTINGS: RedisOptions = {
  lazyConnect: true,
  keyPrefix: '',
  // A command fails at once when its connection does; the engine decides what is sent again.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  autoResubscribe: false,
  // The engine asks the server itself: a user without the right to INFO must not be held up or warned about on the console.
  enableReadyCheck: false,
  enableAutoPipelining: false,
  stringNumbers: false,
  readOnly: false,
  monitor: false,
  commandTimeout: undefined,
  socketTimeout: undefined,
  // Its timer keeps a process up, even for a connection that was never made.
  disconnectTimeout: 200,
  // Only a master takes locks, and there is no end of looking for one.
  role: 'master',
  sentinelRetryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_SENTINEL_RETRY),
  // A demoted master: the next connection finds the new one.
  reconnectOnError: (error) => /^(READONLY|UNBLOCKED)/.test(error.message),
};

/** Makes the connections of one module, all to the same place. */
export class RedisClients {
  /** The `keyPrefix` of the connection that was asked for; it becomes part of the names of the keys. */
  readonly keyPrefix: string;
  /** Only copied from: never connected by us, and never changed where it is the application's. */
  private readonly source: Redis;

  constructor(connection: string | RedisOptions | Redis) {
    this.source = isClient(connection) ? connection : readOptions(connection);
    this.keyPrefix = this.source.options.keyPrefix ?? '';
  }

  /** A new connection, not yet opened. */
  make(): Redis {
    // Without it, a failover by hand goes unnoticed for as long as the old master answers, about eleven seconds.
    const { sentinels, sentinelCommandTimeout = SENTINEL_TIMEOUT } = this.source.options;
    return this.source.duplicate({ ...OWN_SETTINGS, failoverDetector: Boolean(sentinels), sentinelCommandTimeout });
  }
}

/** Lets ioredis read a URL with all its forms; nothing connects. */
function readOptions(connection: string | RedisOptions): Redis {
  if (typeof connection === 'string') return new Redis(connection, { lazyConnect: true });
  return new Redis({ ...connection, lazyConnect: true });
}

/** By shape, since the application may have another copy of ioredis than we have. */
function isClient(connection: unknown): connection is Redis {
  return typeof connection === 'object' && connection !== null && 'duplicate' in connection && 'options' in connection;
}
