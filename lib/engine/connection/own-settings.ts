import type { RedisOptions } from 'ioredis';
import { isDemotion } from './failures.js';

/**
 * Settings of our own connections. Whatever a client that was handed in is set to, these are ours: the engine bounds every
 * wait itself, knows what was sent twice, and puts the key prefix in front by its own.
 */
export const OWN_SETTINGS: RedisOptions = {
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
  // A demoted master: the next connection finds the new one.
  reconnectOnError: isDemotion,
};
