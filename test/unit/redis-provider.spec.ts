import { describe, expect, it, jest } from '@jest/globals';
import { findNamedServer, parseVersion } from '../../tools/redis/find-server.mjs';
import { NoRedisError } from '../../tools/redis/install-server.mjs';
import { chooseBinary, chooseProvider } from '../../tools/redis/provide-redis.mjs';

const sources = (has: { named?: string; docker?: string; onPath?: string }) => ({
  named: () => has.named,
  docker: jest.fn(async () => has.docker),
  onPath: () => has.onPath,
  install: async () => '/installed',
});

describe('chooseProvider', () => {
  it('takes the server that the environment names, without asking Docker', async () => {
    const all = sources({
      named: '/named',
      docker: 'redis:8',
      onPath: '/path',
    });
    expect(await chooseProvider(all)).toEqual({
      kind: 'process',
      binary: '/named',
    });
    expect(all.docker).not.toHaveBeenCalled();
  });

  it.each([
    {
      has: { docker: 'redis:8', onPath: '/path' },
      chosen: { kind: 'container', image: 'redis:8' },
    },
    { has: { onPath: '/path' }, chosen: { kind: 'process', binary: '/path' } },
    { has: {}, chosen: { kind: 'process', binary: '/installed' } },
  ])('of $has takes $chosen', async ({ has, chosen }) => {
    expect(await chooseProvider(sources(has))).toEqual(chosen);
  });
});

describe('chooseBinary', () => {
  it('passes Docker by', async () => {
    const all = sources({ docker: 'redis:8' });
    expect(await chooseBinary(all)).toEqual({
      kind: 'process',
      binary: '/installed',
    });
  });
});

describe('findNamedServer', () => {
  it('finds nothing where nothing is named', () => {
    expect(findNamedServer({})).toBeUndefined();
  });

  it('takes a path', () => {
    const env = { REDIS_LOCK_TEST_SERVER: process.execPath };
    expect(findNamedServer(env)).toBe(process.execPath);
  });

  it('refuses a name that is no program', () => {
    const env = { REDIS_LOCK_TEST_SERVER: 'no-such-server', PATH: '/nowhere' };
    expect(() => findNamedServer(env)).toThrow('REDIS_LOCK_TEST_SERVER=no-such-server is no program here');
  });
});

describe('NoRedisError', () => {
  it('says why, and every way out', () => {
    const { message } = new NoRedisError('sudo wants a password');
    expect(message).toContain('sudo wants a password');
    expect(message).toMatch(/Docker[^]*install[^]*REDIS_LOCK_TEST_SERVER/);
  });
});

describe('parseVersion', () => {
  it.each([
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc', '7.0.15'],
    ['Valkey server v=8.1.1 sha=00000000:0', '8.1.1'],
    ['something else', 'unknown'],
  ])('reads %s', (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });
});
