import 'reflect-metadata';
import { describe, expect, it, jest } from '@jest/globals';
import { SetMetadata } from '@nestjs/common';
import { isObservable, lastValueFrom, of, type Observable } from 'rxjs';
import { currentLease } from '../../lib/context/current-lease.js';
import { FairLock, Semaphore, WithLock } from '../../lib/decorators/index.js';
import {
  LockBusyError,
  LockKeyError,
  LockLostError,
  LockOptionsError,
  LockUnavailableError,
} from '../../lib/errors/index.js';
import { bindLockService } from '../../lib/testing/index.js';
import { deferred, fakeLocks, settle, type FakeLocks } from '../helpers/fake-service.js';

type AnyDecorator = (target: object, key: PropertyKey, descriptor?: unknown) => void;

const failure = (promise: unknown): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => {
      throw new Error('did not fail');
    },
    (error: unknown) => error,
  );

class OrderService {
  readonly tenant = 't1';
  readonly log: string[] = [];

  @WithLock('order:<0>')
  async pay(id: string, amount = 1): Promise<string> {
    this.log.push(`pay ${id} ${amount}`);
    await settle();
    return `${this.tenant}/${id}`;
  }

  @FairLock((id: string) => `seat:${id}`, { ttl: '5s', wait: 0 })
  async reserve(id: string): Promise<number | undefined> {
    this.log.push(`reserve ${id}`);
    return currentLease()?.fence;
  }

  @Semaphore(2, 'gateway:<this.tenant>')
  async charge(): Promise<void> {}

  @Semaphore(3)
  async report(): Promise<void> {}

  @WithLock('order:<0>', { onBusy: 'skip' })
  async nightly(_id: string): Promise<string | undefined> {
    this.log.push('nightly');
    return 'done';
  }

  @WithLock('order:<0>', { onBusy: 'skip', wait: 30 })
  async patient(_id: string): Promise<string | undefined> {
    return 'done';
  }

  @WithLock('order:<0.id>')
  async byObject(order: { id?: string }): Promise<void> {
    this.log.push(order.id ?? '');
  }

  @WithLock('order:<0>')
  async place(id: string): Promise<string> {
    return this.pay(id);
  }

  @WithLock('k')
  ['fails at once'](): Promise<void> {
    throw new Error('at once');
  }

  @WithLock('k')
  thenable(): PromiseLike<number> {
    return { then: (accept) => Promise.resolve(7).then(accept) };
  }
}

function service(fake: FakeLocks = fakeLocks()): FakeLocks & { orders: OrderService } {
  return { ...fake, orders: bindLockService(new OrderService(), fake.locks) };
}

describe('A locked method', () => {
  it('should run on its object, with its arguments, under the lock', async () => {
    const { orders, engine } = service();
    expect(await orders.pay('1', 5)).toBe('t1/1');
    expect(orders.log).toEqual(['pay 1 5']);
    expect(engine.requests).toEqual([
      expect.objectContaining({ kind: 'lock', name: 'order:1', label: 'OrderService.pay', ttl: 10_000, limit: 1 }),
    ]);
    expect(engine.last.releases).toBe(1);
  });

  it('should exclude calls with the same key, and only these', async () => {
    const { orders } = service();
    const order: string[] = [];
    const calls = ['1', '1', '2'].map((id, index) => orders.pay(id).then(() => order.push(`${id}/${index}`)));
    await settle();
    expect(orders.log).toEqual(['pay 1 1', 'pay 2 1']);
    await Promise.all(calls);
    expect(order).toEqual(['1/0', '2/2', '1/1']);
  });

  it('should take key function, options and kind from its decorator', async () => {
    const { orders, engine } = service();
    expect(await orders.reserve('7')).toBe(1);
    await orders.charge();
    await orders.report();
    expect(engine.requests).toEqual([
      expect.objectContaining({ kind: 'lock', name: 'seat:7', ttl: 5000, wait: 0, label: 'OrderService.reserve' }),
      expect.objectContaining({ kind: 'semaphore', name: 'gateway:t1', limit: 2 }),
      expect.objectContaining({ kind: 'semaphore', name: 'OrderService.report', limit: 3 }),
    ]);
  });

  it('should be reentrant', async () => {
    const { orders, engine } = service();
    expect(await orders.place('1')).toBe('t1/1');
    expect(engine.requests).toHaveLength(1);
  });

  it('should use the defaults of the application whose object it is called on', async () => {
    const first = service(fakeLocks({ wait: 1 }));
    const second = service(fakeLocks({ wait: 2 }));
    await Promise.all([first.orders.pay('1'), second.orders.pay('1'), first.orders.pay('2')]);
    expect(first.engine.requests.map(({ wait }) => wait)).toEqual([1, 1]);
    expect(second.engine.requests.map(({ wait }) => wait)).toEqual([2]);
  });

  it('should pass errors on, also those thrown before there is a promise', async () => {
    const { orders, engine } = service();
    await expect(orders['fails at once']()).rejects.toThrow('at once');
    expect(engine.last.releases).toBe(1);
    await expect(orders.thenable()).resolves.toBe(7);
  });

  it('should reject with the result when the lease was lost', async () => {
    const { orders, engine } = service();
    const paying = orders.pay('1');
    while (orders.log.length === 0) await Promise.resolve();
    engine.last.lose();
    const error = await failure(paying);
    expect(error).toBeInstanceOf(LockLostError);
    expect(error).toMatchObject({ result: 't1/1' });
  });

  it('should fail without running when the lock is busy or Redis is down', async () => {
    const { orders, engine, locks } = service();
    const lease = await locks.acquire('seat:1');
    await expect(orders.reserve('1')).rejects.toThrow(LockBusyError);
    await lease.release();
    engine.outage = new LockUnavailableError('down');
    await expect(orders.pay('1')).rejects.toBe(engine.outage);
    await expect(orders.charge()).rejects.toBe(engine.outage);
    await expect(orders.nightly('1')).rejects.toBe(engine.outage);
    expect(orders.log).toEqual([]);
  });

  it('should give undefined for a busy lock with onBusy "skip", without waiting', async () => {
    const { orders, engine, locks } = service();
    const lease = await locks.acquire('order:1');
    await expect(orders.nightly('1')).resolves.toBeUndefined();
    expect(engine.requests.at(-1)?.wait).toBe(0);
    await expect(orders.patient('1')).resolves.toBeUndefined();
    expect(engine.requests.at(-1)?.wait).toBe(30);
    await lease.release();
    await expect(orders.nightly('1')).resolves.toBe('done');
    expect(orders.log).toEqual(['nightly']);
  });

  it('should not skip a busy error of its own work', async () => {
    const busy = new LockBusyError('inner', 'inner', 1);
    class Job {
      @WithLock('k', { onBusy: 'skip' })
      async run(): Promise<void> {
        throw busy;
      }
    }
    expect(await failure(bindLockService(new Job(), fakeLocks().locks).run())).toBe(busy);
  });

  it('should reject for a key that cannot be built, naming the method, without asking the engine', async () => {
    const { orders, engine } = service();
    for (const call of [
      () => orders.byObject({}),
      () => orders.pay(undefined as never),
      () => orders.pay({} as never),
    ]) {
      const error = await failure(call());
      expect(error).toBeInstanceOf(LockKeyError);
      expect((error as Error).message).toMatch(/@WithLock on OrderService\.(byObject|pay)/);
    }
    expect(engine.requests).toHaveLength(0);
    expect(orders.log).toEqual([]);
  });
});

describe('A locked method without a service', () => {
  it.each([
    ['on an object made with new', () => new OrderService().pay('1')],
    ['without its object', () => Reflect.apply(OrderService.prototype.pay, undefined, ['1'])],
    [
      'with something else in the place of the service',
      () => bindLockService(new OrderService(), {} as never).pay('1'),
    ],
  ])('should fail %s, and never run unlocked', async (_, call) => {
    const error = await failure(call());
    expect(error).toBeInstanceOf(LockOptionsError);
    expect((error as Error).message).toMatch(/OrderService\.pay.*RedisLockModule.*bindLockService/s);
  });
});

describe('The function that stands for a locked method', () => {
  let original: Record<string, unknown> = {};

  class Metadata {
    @SetMetadata('above', 1)
    @WithLock('k')
    @SetMetadata('below', 2)
    @((_target: object, _key: string, { value }: PropertyDescriptor) =>
      (original = value as typeof original) && undefined)
    async both(_a: string, _b: string): Promise<void> {}
  }
  const both = Metadata.prototype.both as object;

  it('should show metadata set before and after, and keep name and length', () => {
    expect(Reflect.getMetadata('above', both)).toBe(1);
    expect(Reflect.getMetadata('below', both)).toBe(2);
    // Decorators that replace the function copy what is its own.
    expect(Reflect.getOwnMetadataKeys(both)).toEqual(expect.arrayContaining(['above', 'below']));
    expect([Metadata.prototype.both.name, Metadata.prototype.both.length]).toEqual(['both', 2]);
  });

  it('should show metadata and properties that are put on the original later', () => {
    Reflect.defineMetadata('late', 3, original);
    original['property'] = 4;
    expect(Reflect.getMetadata('late', both)).toBe(3);
    expect(both).toHaveProperty('property', 4);
  });

  it('should be locked by both of two decorators', async () => {
    class Twice {
      @WithLock('outer')
      @Semaphore(2, 'inner')
      async run(): Promise<number> {
        return 1;
      }
    }
    const { locks, engine } = fakeLocks();
    expect(await bindLockService(new Twice(), locks).run()).toBe(1);
    expect(engine.requests.map(({ name }) => name)).toEqual(['outer', 'inner']);
  });
});

describe('A decorator above a lock that takes the method from the class', () => {
  const handlers: Record<string, (this: unknown) => Promise<unknown>> = {};

  function Registered(target: object, key: string, descriptor: PropertyDescriptor): void {
    const method = (target as typeof handlers)[key] as (typeof handlers)[string];
    handlers[key] = method;
    Reflect.defineMetadata('roles', [...((Reflect.getMetadata('roles', method) as string[]) ?? []), 'above'], method);
    descriptor.value = function (this: unknown): Promise<unknown> {
      return method.call(this);
    };
    Object.setPrototypeOf(descriptor.value, method);
  }

  class Registry {
    @Registered
    @WithLock('k')
    @SetMetadata('roles', ['below'])
    async run(): Promise<string | undefined> {
      return currentLease()?.key;
    }
  }

  it('should get it with its lock, to keep or to put another one in its place', async () => {
    const { locks } = fakeLocks();
    const registry = bindLockService(new Registry(), locks);
    expect([await registry.run(), await handlers['run']?.call(registry)]).toEqual(['k', 'k']);
    expect(Reflect.getMetadata('roles', Registry.prototype.run)).toEqual(['below', 'above']);
  });
});

describe('A lock decorator that is called as a function', () => {
  it('should lock the method of the class, whatever becomes of the descriptor', async () => {
    class Plain {
      async run(): Promise<string | undefined> {
        return currentLease()?.key;
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(Plain.prototype, 'run');
    (WithLock('k') as AnyDecorator)(Plain.prototype, 'run', descriptor);
    expect(await bindLockService(new Plain(), fakeLocks().locks).run()).toBe('k');
    expect(Object.keys(Plain.prototype)).toEqual([]);
  });
});

describe('Decoration', () => {
  const decorate = (decorator: unknown, target: object, key: PropertyKey, descriptor?: unknown) => () =>
    (decorator as AnyDecorator)(target, key, descriptor);
  const valueOf = (value: unknown) => ({ value, configurable: true, writable: true });

  it.each([
    ['a static method', class Fixed {}, valueOf(async () => undefined)],
    ['an accessor', {}, { get: () => 1 }],
    ['a property', {}, undefined],
    ['a value', {}, valueOf(1)],
  ])('should be refused on %s', (_, target, descriptor) => {
    expect(decorate(WithLock('k'), target, 'it', descriptor)).toThrow(LockOptionsError);
    expect(decorate(WithLock('k'), target, 'it', descriptor)).toThrow(/@WithLock on (Fixed|Object)\.it/);
  });

  it('should be refused as a standard decorator, with the cure', () => {
    const context = { kind: 'method', name: 'pay' };
    const call = () => (WithLock('k') as unknown as (value: unknown, context: object) => void)(async () => 1, context);
    expect(call).toThrow(LockOptionsError);
    expect(call).toThrow(/experimentalDecorators/);
  });

  it('should be refused for plain JavaScript that is not async, but work for what is', async () => {
    class Plain {}
    const prototype = Plain.prototype as Record<string, unknown>;
    expect(
      decorate(
        WithLock('k'),
        prototype,
        'sync',
        valueOf(() => of(1)),
      ),
    ).toThrow(/Plain\.sync: make the method async/);
    const descriptor = valueOf(async () => 5);
    decorate(WithLock('k'), prototype, 'run', descriptor)();
    Object.defineProperty(prototype, 'run', descriptor);
    const plain = bindLockService(new Plain(), fakeLocks().locks) as unknown as { run(): Promise<number> };
    expect(await plain.run()).toBe(5);
  });

  it.each([String, Number, Boolean, Array, Date, Map, class Order {}])(
    'should be refused for a result of type %p',
    (type) => {
      class Sync {
        run(): void {}
      }
      Reflect.defineMetadata('design:type', Function, Sync.prototype, 'run');
      Reflect.defineMetadata('design:returntype', type, Sync.prototype, 'run');
      const refused = decorate(Semaphore(1), Sync.prototype, 'run', valueOf(Sync.prototype.run));
      expect(refused).toThrow(LockOptionsError);
      expect(refused).toThrow(/@Semaphore on Sync\.run: make the method async/);
    },
  );

  it('should be refused on an ordinary generator', () => {
    const refused = decorate(
      WithLock('k'),
      {},
      'run',
      valueOf(function* () {}),
    );
    expect(refused).toThrow(/async \*/);
  });

  it.each([
    ['a template that is not closed', () => WithLock('order:<0' as never)],
    ['an empty key', () => WithLock('')],
    ['an empty list', () => FairLock([])],
    ['a list with an empty key', () => FairLock(['a', ''])],
    ['no key', () => WithLock(undefined as never)],
  ])('should be refused with %s', (_, decorator) => {
    const refused = decorate(
      decorator(),
      {},
      'run',
      valueOf(async () => 1),
    );
    expect(refused).toThrow(LockKeyError);
    expect(refused).toThrow(/Lock on Object\.run/);
  });

  it.each([
    ['ttl', { ttl: '60' }],
    ['onBusy', { onBusy: 'wait' }],
    ['pollInterval', { pollInterval: 5 }],
    ['connection', { connection: 5 }],
  ])('should be refused with a wrong %s', (option, options) => {
    const refused = decorate(
      WithLock('k', options as never),
      {},
      'run',
      valueOf(async () => 1),
    );
    expect(refused).toThrow(LockOptionsError);
    expect(refused).toThrow(new RegExp(`@WithLock on Object\\.run.*${option}`));
  });

  it('should be refused for a limit that is none, and for a nameless class without a key', () => {
    expect(
      decorate(
        Semaphore(0, 'k'),
        {},
        'run',
        valueOf(async () => 1),
      ),
    ).toThrow(/@Semaphore on Object\.run.*limit/);
    const nameless = (() => class {})();
    expect(
      decorate(
        Semaphore(1),
        nameless.prototype,
        'run',
        valueOf(async () => 1),
      ),
    ).toThrow(/needs a key/);
  });

  it('should tell the logger of what is hardly meant, once per application', async () => {
    class Short {
      @WithLock('k', { ttl: 200 })
      async run(): Promise<void> {}
    }
    const { locks, logger } = fakeLocks();
    const short = bindLockService(new Short(), locks);
    await short.run();
    await short.run();
    expect(logger.warnings).toEqual([expect.stringMatching(/Short\.run.*200 ms/)]);
  });
});

/** A type that leaves nothing behind. */
type Untold<T> = Promise<T> | Observable<T>;

describe('A method whose result the compiler does not know', () => {
  class Unknown {
    readonly calls = jest.fn();

    @WithLock('k:<0>')
    value(id: string): Untold<string> {
      this.calls(id, currentLease()?.fence);
      return id === 'promise' ? Promise.resolve(id) : (id as never);
    }

    @WithLock('k')
    stream(): Untold<string> {
      this.calls(currentLease()?.fence);
      return of('a', 'b');
    }

    @WithLock('k')
    async resolved(): Promise<Observable<number | undefined>> {
      this.calls(currentLease()?.fence);
      const { defer } = await import('rxjs');
      return defer(() => of(currentLease()?.fence));
    }

    @WithLock('k')
    async generator(): Promise<AsyncGenerator<number | undefined>> {
      this.calls();
      return (async function* () {
        yield currentLease()?.fence;
      })();
    }

    @WithLock('k')
    sync(): Untold<never> {
      return (function* () {})() as never;
    }
  }
  const make = () => {
    const fake = fakeLocks();
    return { ...fake, object: bindLockService(new Unknown(), fake.locks) };
  };

  it('should give a promise', async () => {
    const { object, engine } = make();
    const results = [object.value('promise'), object.value('plain')];
    expect(results).toEqual([expect.any(Promise), expect.any(Promise)]);
    expect(await Promise.all(results as Promise<string>[])).toEqual(['promise', 'plain']);
    expect(engine.active).toBe(0);
  });

  it('should give a promise of an Observable that takes the lock and calls again for each subscription', async () => {
    const { object, engine } = make();
    const stream = await (object.stream() as unknown as Promise<Observable<string>>);
    expect(isObservable(stream)).toBe(true);
    expect(engine.active).toBe(0);
    expect(await Promise.all([lastValueFrom(stream), lastValueFrom(stream)])).toEqual(['b', 'b']);
    expect(object.calls.mock.calls).toEqual([[1], [2], [3]]);
    expect(engine.active).toBe(0);
  });

  it('should subscribe under a lock to the Observable that an async method resolves to', async () => {
    const { object, engine } = make();
    const stream = await object.resolved();
    expect(engine.active).toBe(0);
    expect([await lastValueFrom(stream), await lastValueFrom(stream)]).toEqual([2, 3]);
    expect(object.calls).toHaveBeenCalledTimes(1);
    expect(engine.active).toBe(0);
  });

  it('should step under a lock through the generator that an async method resolves to', async () => {
    const { object, engine } = make();
    const generator = await object.generator();
    expect(engine.active).toBe(0);
    expect(await generator.next()).toEqual({ done: false, value: 2 });
    expect(engine.active).toBe(1);
    expect(await generator.next()).toEqual({ done: true, value: undefined });
    expect(engine.active).toBe(0);
  });

  it('should refuse an ordinary generator', async () => {
    const { object, engine } = make();
    await expect(object.sync()).rejects.toThrow(LockOptionsError);
    expect(engine.active).toBe(0);
  });
});

describe('Calls that nest through other calls', () => {
  it('should not wait for themselves', async () => {
    const fake = fakeLocks();
    const ready = deferred();
    class Tree {
      @WithLock('tree')
      async walk(depth: number): Promise<number> {
        if (depth === 0) return 1;
        const parts = await Promise.all([this.walk(depth - 1), this.walk(depth - 1)]);
        return parts[0] + parts[1];
      }
    }
    ready.resolve();
    expect(await bindLockService(new Tree(), fake.locks).walk(4)).toBe(16);
    expect(fake.engine.requests).toHaveLength(1);
  });
});
