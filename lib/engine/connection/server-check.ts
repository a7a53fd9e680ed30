import type { LoggerService } from '@nestjs/common';
import type { Redis } from 'ioredis';

/** [major, minor]; a Cluster needs sharded channels. */
const OLDEST_SERVER = [6, 2] as const;
const OLDEST_CLUSTER = [7, 0] as const;

/** Warns of servers that cannot keep locks, once of each flaw, on however many connections and nodes it is found. */
export class ServerCheck {
  private readonly told = new Set<string>();

  constructor(private readonly logger: LoggerService) {}

  /** A user without the right to INFO goes without the warnings. */
  async examine(redis: Redis): Promise<void> {
    const info = await redis.info().catch(() => '');
    const version = /^redis_version:(\d+)\.(\d+)/m.exec(info);
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
    const cluster = /^(redis_mode:cluster|cluster_enabled:1)/m.test(info);
    const [major, minor] = cluster ? OLDEST_CLUSTER : OLDEST_SERVER;
    if (version && isOlder(Number(version[1]), Number(version[2]), major, minor)) {
      const what = cluster ? 'locks in a Cluster need' : 'locks need';
      this.tell(`Redis ${version[1]}.${version[2]} is too old: ${what} Redis ${major}.${minor} or newer.`);
    }
    if (policy !== undefined && policy !== 'noeviction') {
      this.tell(
        `Redis has maxmemory-policy ${policy}: under memory pressure it drops locks without telling anybody. Use noeviction.`,
      );
    }
  }

  private tell(warning: string): void {
    if (this.told.has(warning)) return;
    this.told.add(warning);
    this.logger.warn(warning);
  }
}

function isOlder(major: number, minor: number, oldestMajor: number, oldestMinor: number): boolean {
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
