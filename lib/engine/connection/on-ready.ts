import type { Redis } from 'ioredis';

/**
 * Calls back whenever commands can be sent. ioredis 5 says so too of a connection that ended while the client still introduced
 * itself, and then would never connect again: the timer that is to do it finds a client that claims to be ready.
 */
export function onReady(redis: Redis, listener: () => void): void {
  redis.on('ready', () => {
    const { stream } = redis;
    if (stream.destroyed) redis.status = 'reconnecting';
    // Else it is ending, and the event of its end is still to come.
    else if (stream.writable) listener();
  });
}
