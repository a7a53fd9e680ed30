import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, Scope, type DynamicModule, type Provider } from '@nestjs/common';
import { RedisLockModule, WithLock } from 'nestjs-redis-lock';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { startApp, stopApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { Inherited } from '../src/classes/inheritance.js';
import { FrozenLockKeys, LockKeys } from '../src/classes/lock-keys.js';
import { Overlap } from '../src/controllers/overlap.js';

const redis = useRedis();
const locks = (namespace?: string, isGlobal = true): DynamicModule =>
  RedisLockModule.forRoot({ connection: redis.url, namespace, isGlobal });
const client = (): Provider => ({ provide: 'redis', useValue: redis.client });
const made = (provide: string, more: object = {}): Provider => ({
  provide,
  useFactory: () => new LockKeys(redis.client),
  ...more,
});
const MISSING = {
  code: 'LOCK_OPTIONS',
  message: expect.stringMatching(/^LockKeys\.keys has no LockService, so it was not run.*register LockKeys as a class/),
};

/** Decorates a method of an object that no class made, as the compiler would. */
function lockByHand<T extends { run: () => Promise<string[]> }>(object: T): T {
  const descriptor = Object.getOwnPropertyDescriptor(object, 'run') as PropertyDescriptor;
  WithLock('by-hand')(object, 'run', descriptor as TypedPropertyDescriptor<() => Promise<string[]>>);
  return Object.defineProperty(object, 'run', descriptor);
}

describe('An application that has the module twice with different options [BC-21]', () => {
  it.each(['first', 'last'])('should give objects the locks that classes beside them have: root %s', async (place) => {
    @Module({ imports: [locks('own')], providers: [client(), LockKeys, made('own object')], exports: [LockKeys] })
    class OwnModule {}
    const root = locks('root');
    const app = await startApp({
      imports: place === 'first' ? [root, OwnModule] : [OwnModule, root],
      providers: [
        client(),
        made('root object'),
        { provide: 'root class', useClass: LockKeys },
        { provide: 'own class again', useFactory: (keys: LockKeys) => keys, inject: [LockKeys] },
      ],
    });
    const keysOf = (token: string | typeof LockKeys) => app.get<LockKeys>(token, { strict: false }).keys();
    expect(await keysOf(LockKeys)).toEqual(['own:lock:k']);
    expect(await keysOf('own object')).toEqual(['own:lock:k']);
    expect(await keysOf('own class again')).toEqual(['own:lock:k']);
    expect(await keysOf('root class')).toEqual(['root:lock:k']);
    expect(await keysOf('root object')).toEqual(['root:lock:k']);
  });

  it('should give each module its own, and others none, with "isGlobal: false"', async () => {
    @Module({ imports: [locks('a', false)], providers: [made('a')] })
    class A {}
    @Module({ imports: [locks('b', false)], providers: [made('b')] })
    class B {}
    const app = await startApp({ imports: [A, B], providers: [made('neither')] });
    expect(await app.get<LockKeys>('a', { strict: false }).keys()).toEqual(['a:lock:k']);
    expect(await app.get<LockKeys>('b', { strict: false }).keys()).toEqual(['b:lock:k']);
    await expect(app.get<LockKeys>('neither').keys()).rejects.toMatchObject(MISSING);
  });

  it('should let one at a time in over both where they are the same', async () => {
    const overlap = new Overlap();
    const worker = (provide: string): Provider => ({ provide, useFactory: () => new Inherited(overlap) });
    @Module({ imports: [locks('same')], providers: [worker('own')] })
    class OwnModule {}
    const app = await startApp({ imports: [locks('same'), OwnModule], providers: [worker('root')] });
    const workers = [app.get<Inherited>('root'), app.get<Inherited>('own', { strict: false })];
    await Promise.all([...workers, ...workers, ...workers].map((it) => it.run()));
    expect(overlap).toMatchObject({ entered: 6, most: 1 });
  });
});

describe('One object that is a provider of several applications', () => {
  const start = (namespace: string, object: LockKeys) =>
    startApp({ imports: [locks(namespace)], providers: [{ provide: 'object', useValue: object }] });

  it('should lock for the next one when the first has ended, whenever that started [BC-21]', async () => {
    const object = new LockKeys(redis.client);
    const first = await start('first', object);
    expect(await object.keys()).toEqual(['first:lock:k']);
    const second = await start('second', object);
    // One place for one service.
    expect(await object.keys()).toEqual(['first:lock:k']);
    await stopApp(first);
    expect(await object.keys()).toEqual(['second:lock:k']);
    await stopApp(second);
    await expect(object.keys()).rejects.toMatchObject({ code: 'LOCK_CLOSED' });
    await start('third', object);
    expect(await object.keys()).toEqual(['third:lock:k']);
  });

  it('should not be given to one that has ended meanwhile', async () => {
    const object = new LockKeys(redis.client);
    const first = await start('first', object);
    const second = await start('second', object);
    await start('third', object);
    await stopApp(second);
    await stopApp(first);
    expect(await object.keys()).toEqual(['third:lock:k']);
  });
});

describe('An object that no class made', () => {
  it.each([
    ['without a prototype', () => Object.assign(Object.create(null) as object, { run: () => redis.keys() })],
    ['a literal', () => ({ run: async () => redis.keys() })],
  ])('should lock when it is decorated by hand: %s', async (_, create) => {
    const run = async () => redis.keys();
    const object = lockByHand(Object.assign(create(), { run }));
    await expect(object.run()).rejects.toMatchObject({ code: 'LOCK_OPTIONS' });
    await startApp({ imports: [locks()], providers: [{ provide: 'object', useValue: object }] });
    expect(await object.run()).toEqual(['lock:by-hand']);
  });

  it('should leave other classes alone', async () => {
    lockByHand({ run: async () => redis.keys() });
    const app = await startApp({ providers: [{ provide: 'plain', useClass: Object }] });
    expect(app.get('plain')).toEqual({});
  });
});

describe('Objects that cannot be given the service', () => {
  @Injectable({ scope: Scope.REQUEST })
  class PerRequest {}

  it.each([
    ['of a factory that depends on the request', made('made', { inject: [PerRequest] })],
    ['of a factory for each request', made('made', { scope: Scope.REQUEST })],
    ['of a factory for each user of the object', made('made', { scope: Scope.TRANSIENT })],
  ])('should fail with the way out, and never run unlocked: %s', async (_, provider) => {
    const app = await startApp({ imports: [locks()], providers: [PerRequest, provider] });
    const object = await app.resolve<LockKeys>('made');
    await expect(object.keys()).rejects.toMatchObject(MISSING);
  });

  it('should fail when they are hidden inside of what a factory made', async () => {
    const app = await startApp({
      imports: [locks()],
      providers: [{ provide: 'both', useFactory: () => ({ keys: new LockKeys(redis.client) }) }],
    });
    await expect(app.get<{ keys: LockKeys }>('both').keys.keys()).rejects.toMatchObject(MISSING);
  });

  it('should keep the application from starting when they freeze themselves', async () => {
    const start = startApp({ imports: [locks()], providers: [client(), FrozenLockKeys] });
    await expect(start).rejects.toThrow(/LockService.*not extensible/);
  });

  it('should be no reason to warn when they are frozen with their service', async () => {
    const logger = new RecordingLogger();
    const app = await startApp({
      imports: [RedisLockModule.forRoot({ connection: redis.url, logger })],
      providers: [
        client(),
        LockKeys,
        { provide: 'frozen', useFactory: (keys: LockKeys) => Object.freeze(keys), inject: [LockKeys] },
      ],
    });
    expect(await app.get<LockKeys>('frozen').keys()).toEqual(['lock:k']);
    expect(logger.warnings).toEqual([]);
  });
});
