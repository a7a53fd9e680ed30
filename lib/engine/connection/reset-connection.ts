import type { Redis } from 'ioredis';
import type { Socket } from 'node:net';

/**
 * Ends a connection with a reset: what the kernel still has to send is thrown away, so that no command of ours reaches the
 * server after we gave it up. ioredis then connects anew.
 */
export function resetConnection(redis: Redis): void {
  const { stream } = redis as unknown as { stream?: Partial<Socket> };
  if (stream?.destroy) reset(stream as Socket);
  else redis.disconnect(true);
}

function reset(socket: Socket): void {
  // Since the server has ended it, say: it cannot be reset any more, and to try would keep it from ever closing.
  if (socket.writableEnded) return void socket.destroy();
  try {
    socket.resetAndDestroy();
  } catch {
    // Only plain TCP can be reset, neither TLS nor a socket of the file system.
    socket.destroy();
  }
}
