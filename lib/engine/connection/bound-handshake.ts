import type { Redis } from 'ioredis';
import { Alarm } from '../alarm.js';
import type { ConnectionContext } from './command-connection.js';
import { resetConnection } from './reset-connection.js';

/** ioredis waits without end for a server that takes a connection and then says nothing; a new connection may fare better. */
export function boundHandshake(redis: Redis, { runtime, clock, commandTimeout }: ConnectionContext): void {
  const patience = new Alarm(runtime, clock, () => resetConnection(redis));
  redis.on('connect', () => patience.set(clock.now() + commandTimeout));
  redis.on('ready', () => patience.clear());
  redis.on('close', () => patience.clear());
}
