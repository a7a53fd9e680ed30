import { describe, expect, it } from '@jest/globals';
import { startDemoRedis } from '../../tools/demo/demo-redis.mjs';
import { NoRedisError } from '../../tools/redis/install-server.mjs';

const fails = (error: Error) => () => Promise.reject(error);

describe('the Redis of the demo', () => {
  it('is embedded where no other is to be had, which it says', async () => {
    const lines: string[] = [];
    const redis = await startDemoRedis((line) => lines.push(line), fails(new NoRedisError('sudo wants a password')));
    expect(redis.kind).toBe('embedded');
    expect(lines).toEqual([
      'No Redis is to be had here (sudo wants a password).',
      'This process hosts an embedded Redis, which is enough for processes of one machine.',
    ]);
    await redis.stop();
  });

  it('answers as redis-cli prints it', async () => {
    const redis = await startDemoRedis(() => undefined, fails(new NoRedisError('none')));
    expect(await redis.cli('SET', 'lock:a', 'x')).toBe('OK');
    expect(await redis.cli('EXISTS', 'lock:a')).toBe('1');
    expect(await redis.cli('GET', 'none')).toBe('');
    expect(await redis.cli('ZADD', 'z', '1', 'a', '2', 'b')).toBe('2');
    expect(await redis.cli('ZRANGE', 'z', '0', '-1')).toBe('a\nb');
    expect(await redis.cli('--scan', '--pattern', 'lock:*')).toBe('lock:a');
    await redis.stop();
  });

  it('is not embedded because another one failed', async () => {
    await expect(startDemoRedis(() => undefined, fails(new Error('out of memory')))).rejects.toThrow('out of memory');
  });
});
