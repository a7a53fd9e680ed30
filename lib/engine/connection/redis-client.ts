import { Redis, type RedisOptions } from 'ioredis';
import type { RedisLockModuleOptions } from '../../interfaces/module-options.interface.js';

const FIRST_RETRY = 50;
const LONGEST_RETRY = 1000;

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
  retryStrategy: (attempt) => Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** Math.min(attempt - 1, 10)) * (0.75 + Math.random() / 2),
  // A demoted master: the next connection finds the new one.
  reconnectOnError: (error) => /^(READONLY|UNBLOCKED)/.test(error.message),
};

/** Makes the connections of one module, all to the same place. */
export class RedisClients {
  /** The `keyPrefix` of the connection that was asked for; it becomes part of the names of the keys. */
  readonly keyPrefix: string;
  private readonly source: Redis | undefined;
  private readonly options: RedisOptions;
  private readonly url: string | undefined;

  constructor(connection: NonNullable<RedisLockModuleOptions['connection']>) {
    this.url = typeof connection === 'string' ? connection : undefined;
    this.source = isClient(connection) ? connection : undefined;
    this.options = this.source ? this.source.options : typeof connection === 'object' ? (connection as RedisOptions) : {};
    this.keyPrefix = this.options.keyPrefix ?? '';
  }

  /** A new connection, not yet opened. `undefined` as `commandTimeout` takes a setting of the source off. */
  make(): Redis {
    const settings: RedisOptions = { ...OWN_SETTINGS };
    if (this.source) return this.source.duplicate({ ...settings, commandTimeout: undefined, socketTimeout: undefined });
    if (this.url !== undefined) return new Redis(this.url, settings);
    return new Redis({ ...this.options, ...settings, commandTimeout: undefined, socketTimeout: undefined });
  }
}

/** By shape, since the application may have another copy of ioredis than we have. */
function isClient(connection: unknown): connection is Redis {
  return typeof connection === 'object' && connection !== null && 'duplicate' in connection && 'options' in connection;
}
