import type { LoggerService } from '@nestjs/common';
import type { Redis } from 'ioredis';

const OLDEST_SERVER = [6, 2] as const;

/** Warns of a server that cannot keep locks. A user without the right to INFO goes without the warning. */
export async function warnOfServer(redis: Redis, logger: LoggerService): Promise<void> {
  const info = await redis.info().catch(() => '');
  const version = /^redis_version:(\d+)\.(\d+)/m.exec(info);
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (version && isOlder(Number(version[1]), Number(version[2]))) {
    logger.warn(`Redis ${version[1]}.${version[2]} is too old: locks need Redis ${OLDEST_SERVER.join('.')} or newer.`);
  }
  if (policy !== undefined && policy !== 'noeviction') {
    logger.warn(
      `Redis has maxmemory-policy ${policy}: under memory pressure it drops locks without telling anybody. Use noeviction.`,
    );
  }
}

function isOlder(major: number, minor: number): boolean {
  return major < OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor < OLDEST_SERVER[1]);
}
