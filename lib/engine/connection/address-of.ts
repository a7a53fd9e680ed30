import type { Redis } from 'ioredis';

/**
 * Which server a client is connected to. With Sentinels the same settings lead now here, now there; elsewhere they name one
 * server, though it may have several addresses.
 */
export function addressOf({ options, stream }: Redis): string {
  if (!options.sentinels) return `${options.host}:${options.port}`;
  const { remoteAddress, remotePort } = (stream ?? {}) as { remoteAddress?: string; remotePort?: number };
  return `${remoteAddress}:${remotePort}`;
}
