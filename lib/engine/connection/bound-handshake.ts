import type { Redis } from 'ioredis';
import { Alarm } from '../alarm.js';
import type { ConnectionContext } from './connection-context.interface.js';
import { resetConnection } from './reset-connection.js';

/** ioredis waits without end for a server that takes a connection and then says nothing; a new connection may fare better. */
export function boundHandshake(redis: Redis, { runtime, clock, commandTimeout }: ConnectionContext): void {
  // A host that is gone says nothing either, and when it is back the next knock of an old attempt is many seconds away.
  const { connectTimeout = commandTimeout } = redis.options;
  redis.options.connectTimeout = Math.min(connectTimeout, commandTimeout);
  const patience = new Alarm(runtime, clock, () => resetConnection(redis));
  redis.on('connect', () => patience.set(clock.now() + commandTimeout));
  redis.on('ready', () => patience.clear());
  redis.on('close', () => patience.clear());
}
