import type { RedisOptions } from 'ioredis';
import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('ioredis/package.json') as { version: string };

export type Protocol = 2 | 3;

/** Options with the protocol, of which ioredis 5 has one only, and no option for it. */
export type ProtocolOptions = RedisOptions & { protocol?: Protocol };

/** Those that the ioredis of these tests speaks. */
export const PROTOCOLS: readonly Protocol[] = Number.parseInt(version, 10) >= 6 ? [2, 3] : [2];
