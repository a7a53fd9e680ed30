import { describe, expect, it } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { LockOptionsError } from '../../../lib/errors/index.js';
import { checkModuleOptions } from '../../../lib/options/check-module-options.js';
import { errorOf } from '../../helpers/error-of.js';

const refusal = (options: unknown) => {
  const error = errorOf(() => checkModuleOptions(options));
  expect(error).toBeInstanceOf(LockOptionsError);
  expect(error.message).toMatch(/^RedisLockModule[:,] /);
  return error.message;
};

describe('checkModuleOptions', () => {
  it('has the defaults of the design where nothing is set', () => {
    expect(checkModuleOptions({})).toMatchObject({
      connection: 'redis://localhost:6379',
      namespace: undefined,
      commandTimeout: 2000,
      handoffTtl: 3000,
      pollInterval: 3000,
      shutdownTimeout: 10_000,
      cohort: { passes: 128, time: 50 },
      logger: undefined,
      defaults: { ttl: 10_000, wait: 5000, onBusy: 'throw' },
      warnings: [],
    });
  });

  it('gives what is set in the form in which it is used', () => {
    const logger = console;
    const options = {
      connection: 'rediss://:secret@redis:6380/3',
      namespace: 'shop',
      commandTimeout: '1s',
      handoffTtl: 500,
      pollInterval: '5s',
      shutdownTimeout: 0,
      cohort: { passes: 0, time: '1s' },
      logger,
      defaults: { ttl: '1m' },
    };
    expect(checkModuleOptions(options)).toMatchObject({
      connection: options.connection,
      namespace: 'shop',
      commandTimeout: 1000,
      handoffTtl: 500,
      pollInterval: 5000,
      shutdownTimeout: 0,
      cohort: { passes: 0, time: 1000 },
      logger,
      defaults: { ttl: 60_000 },
    });
  });

  it('polls as often as a handed lease lasts', () => {
    expect(checkModuleOptions({ handoffTtl: '1s' }).pollInterval).toBe(1000);
  });

  it('takes an option that is undefined as not set', () => {
    expect(checkModuleOptions({ namespace: undefined, defaults: undefined, retries: undefined }).handoffTtl).toBe(3000);
  });

  it('hands warnings on to whoever has the logger (BC-35)', () => {
    const { warnings } = checkModuleOptions({ defaults: { ttl: 600 } });
    expect(warnings).toEqual(["RedisLockModule, defaults: ttl is 600 ms; if seconds were meant, write '600s'."]);
  });

  it.each<[object, string]>([
    [{ commandTimeout: 0 }, 'commandTimeout is 0; it must be a duration of at least 1 ms'],
    [{ commandTimeout: Infinity }, 'commandTimeout is Infinity'],
    [{ handoffTtl: 499 }, 'handoffTtl is 499; it must be a duration of at least 500 ms'],
    [{ pollInterval: 99 }, 'pollInterval is 99; it must be a duration of at least 100 ms'],
    [{ cohort: 32 }, "cohort is 32; it must be an object, such as { passes: 128, time: '50ms' }"],
    [{ cohort: { passes: -1 } }, 'cohort.passes is -1; it must be a whole number, 0 or more'],
    [{ cohort: { passes: 1.5 } }, 'cohort.passes is 1.5'],
    [{ cohort: { passes: Infinity } }, 'cohort.passes is Infinity'],
    [{ cohort: { time: '50' } }, "cohort.time is '50'; seconds or milliseconds?"],
    [{ cohort: { pases: 1 } }, "option 'pases' is unknown; perhaps passes is meant"],
    [{ shutdownTimeout: -1 }, 'shutdownTimeout is -1'],
    [{ shutdownTimeout: '10' }, 'seconds or milliseconds?'],
    [{ namespace: '{shop}' }, "namespace is '{shop}'; braces would put every lock into one Cluster slot"],
    [{ namespace: null }, 'namespace is null; leave it out for the default'],
    [{ logger: true }, 'logger is true; it must be false or a logger'],
    [{ logger: { log() {} } }, 'logger is an object; it must be false or a logger'],
    [{ defaults: { ttl: 0 } }, 'RedisLockModule, defaults: ttl is 0'],
    [{ defaults: { signal: AbortSignal.abort() } }, "RedisLockModule, defaults: option 'signal' has no meaning here"],
    [{ defaults: { replicas: {} } }, 'defaults: replicas.min is undefined'],
    [{ defaults: { permits: 2 } }, "option 'permits' is not part of this version"],
  ])('refuses %j (BC-35)', (options, message) => {
    expect(refusal(options)).toContain(message);
  });

  it.each<[string, string]>([
    ['ttl', 'stands inside defaults: { ttl }'],
    ['name', 'stands beside the factory, not in what it returns'],
    ['isGlobal', 'stands beside the factory, not in what it returns'],
    ['replicas', 'stands inside defaults: { replicas }'],
    ['url', 'stands inside connection'],
    ['host', 'stands inside connection'],
    ['connections', 'perhaps connection is meant'],
    ['prefix', 'the options are connection, namespace, defaults,'],
  ])('refuses %s and says why', (name, reason) => {
    expect(refusal({ [name]: 'x' })).toContain(`option '${name}' `);
    expect(refusal({ [name]: 'x' })).toContain(reason);
  });

  it.each([null, undefined, 'redis://localhost', []])('refuses %p as options', (options) => {
    expect(refusal(options)).toContain('it must be an object');
  });
});

describe('the connection of a module', () => {
  it.each<[string, unknown]>([
    ['a URL', 'redis://localhost'],
    ['a URL with everything', 'rediss://user:p%40ss@host:6380/2?family=6'],
    ['an IPv6 address', 'redis://[::1]:6379/'],
    ['options', { host: 'localhost', port: 6379, password: 'x', keyPrefix: 'app:' }],
    ['options from the environment', { host: 'localhost', port: '6379', db: '2', username: undefined }],
    ['no options', {}],
    ['Sentinel options', { sentinels: [{ host: 'a', port: 26379 }], name: 'mymaster' }],
    ['a client', new Redis({ lazyConnect: true })],
  ])('may be %s', (_, connection) => {
    expect(checkModuleOptions({ connection }).connection).toBe(connection);
  });

  it.each<[unknown, string]>([
    ['localhost:6379', 'a URL must begin with redis:// or rediss://'],
    ['http://localhost:6379', 'a URL must begin with redis:// or rediss://'],
    ['/tmp/redis.sock', 'a URL must begin with redis:// or rediss://'],
    ['', 'a URL must begin with redis:// or rediss://'],
    ['redis://', 'the URL names no host'],
    ['redis://:6379', 'is not a valid URL'],
    ['redis:///0', 'the URL names no host'],
    ['redis://localhost:70000', 'is not a valid URL'],
    ['redis://localhost/cache', 'the path of the URL must be the number of a database'],
    ['redis://:50%off@localhost', 'hold a % that encodes nothing'],
    [6379, 'a bare port; write { host, port } or redis://localhost:6379'],
    [[new URL('redis://a')], 'several masters (quorum mode) are not part of this version'],
    [['redis://a', 'redis://b', 'redis://c'], 'several masters (quorum mode) are not part of this version'],
    [{ url: 'redis://localhost' }, 'ioredis has no option "url"'],
    [{ nodes: [] }, 'nodes must be a list of { host, port }'],
    [{ nodes: { host: 'a' } }, 'nodes must be a list of { host, port }'],
    [{ nodes: [{}] }, 'each of nodes must be { host, port } or a URL'],
    [{ nodes: [{ port: 'x' }] }, 'each of nodes must be { host, port } or a URL'],
    [{ nodes: [{ port: 1 }], redisOptions: { db: 1 } }, 'a Cluster has no other database than 0'],
    [{ redisOptions: {} }, 'a Cluster needs nodes: [{ host, port }, ...] beside its other options'],
    [{ duplicate: () => {}, sendCommand: () => {} }, 'the client is not one of ioredis'],
    [new URL('redis://redis:6380'), 'a URL object; give its text, url.href'],
    [{ port: 'abc' }, 'port must be a number from 0 to 65535'],
    [{ port: NaN }, 'port must be a number from 0 to 65535'],
    [{ port: 70_000 }, 'port must be a number from 0 to 65535'],
    [{ host: 5 }, 'host must be text'],
    [{ db: 'cache' }, 'db must be the number of a database'],
    [{ db: -1 }, 'db must be the number of a database'],
    [{ sentinels: [], name: 'mymaster' }, 'sentinels must be a list of { host, port }'],
    [{ sentinels: 'localhost:26379', name: 'mymaster' }, 'sentinels must be a list of { host, port }'],
    [{ sentinels: [{ host: 'a', port: 26379 }] }, 'Sentinels need the name of the master, as name'],
    [true, 'it must be a URL, ioredis options or an ioredis client'],
    [() => new Redis(), 'it must be a URL, ioredis options or an ioredis client'],
    [null, 'connection is null; leave it out for the default'],
  ])('is refused as %j: %s', (connection, reason) => {
    expect(refusal({ connection })).toContain(reason);
  });

  it('is a client of a Cluster, of database 0', () => {
    const client = (db: number) => new Cluster([{ port: 1 }], { lazyConnect: true, redisOptions: { db } });
    expect(checkModuleOptions({ connection: client(0) }).connection).toMatchObject({ isCluster: true });
    expect(refusal({ connection: client(1) })).toContain('a Cluster has no other database than 0');
  });

  it.each([
    'redis://:s3cret@',
    'redis://:s3cret@host/x',
    's3cret@localhost',
    'http://:s3cret@host',
    'redis://:s3cret%@host',
  ])('is never quoted, as it may hold a password: %s (BC-83)', (connection) => {
    expect(refusal({ connection })).not.toContain('s3cret');
  });
});
