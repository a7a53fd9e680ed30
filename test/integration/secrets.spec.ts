import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { openLocks } from '../helpers/open-locks.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { useRedis } from '../helpers/use-redis.js';

const redis = useRedis();
const SECRET = 'top-secret-password';

describe('a password that Redis refuses (BC-83)', () => {
  it.each([
    ['of a user', () => ({ port: redis.port, username: 'nobody', password: SECRET })],
    ['in a URL', () => `redis://nobody:${SECRET}@127.0.0.1:${redis.port}`],
    ['of the default user, over RESP2', () => ({ port: redis.port, password: SECRET, protocol: 2 as const })],
  ])('is in no error and no line of the log: %s', async (_, connection) => {
    await redis.client.config('SET', 'requirepass', 'another');
    try {
      const logger = new RecordingLogger();
      const { locks } = await openLocks({ connection: connection(), logger, commandTimeout: 500 });
      const error: unknown = await locks
        .withLock('k', { wait: 300 }, () => 'entered')
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'LOCK_UNAVAILABLE',
        cause: { message: expect.stringContaining('WRONGPASS') },
      });
      const told = inspect([error, logger.lines], { depth: Infinity, showHidden: true });
      expect(told).toContain('WRONGPASS');
      expect(told).not.toContain(SECRET);
    } finally {
      await redis.client.config('SET', 'requirepass', '');
    }
  });
});
