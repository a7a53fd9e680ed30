import { describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { ServerCheck } from '../../../lib/engine/connection/server-check.js';
import { RecordingLogger } from '../../helpers/recording-logger.js';

/** What is warned of at a server that answers INFO like this. */
async function warningsOf(info: () => Promise<string>): Promise<unknown[]> {
  const logger = new RecordingLogger();
  const check = new ServerCheck(logger);
  // As on a second connection: what was told once is not told again.
  for (let i = 0; i < 2; i++) await check.examine({ info } as unknown as Redis);
  return logger.warnings;
}

describe('A server that says of itself', () => {
  it.each(['2.8.24', '5.0.14', '6.0.16', '6.1.240'])(
    'version %s is warned of, with the version it takes [BC-47]',
    async (version) => {
      const warnings = await warningsOf(async () => `# Server\r\nredis_version:${version}\r\n`);
      expect(warnings).toEqual([expect.stringMatching(/too old.*6\.2/)]);
    },
  );

  it.each(['6.2.0', '6.10.1', '7.0.15', '8.0.2', '10.0.0'])('version %s is not', async (version) => {
    expect(await warningsOf(async () => `redis_version:${version}\r\nmaxmemory_policy:noeviction\r\n`)).toEqual([]);
  });

  it.each(['redis_mode:cluster', 'cluster_enabled:1'])('it is one of a Cluster (%s) must be newer', async (fact) => {
    const warnings = await warningsOf(async () => `redis_version:6.2.14\r\n${fact}\r\n`);
    expect(warnings).toEqual([expect.stringMatching(/too old: locks in a Cluster need Redis 7\.0/)]);
    expect(await warningsOf(async () => `redis_version:7.0.0\r\n${fact}\r\n`)).toEqual([]);
  });

  it('that it evicts keys is warned of', async () => {
    const warnings = await warningsOf(async () => 'redis_version:7.0.15\r\nmaxmemory_policy:allkeys-lru\r\n');
    expect(warnings).toEqual([expect.stringContaining('allkeys-lru')]);
  });

  it('nothing, since its user may not ask, is not', async () => {
    expect(await warningsOf(() => Promise.reject(new Error('NOPERM')))).toEqual([]);
  });
});
