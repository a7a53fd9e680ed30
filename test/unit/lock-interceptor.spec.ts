import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { Header, Sse, StreamableFile, type CallHandler, type NestInterceptor, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import {
  defer,
  from,
  interval,
  lastValueFrom,
  map,
  NEVER,
  Observable,
  of,
  Subject,
  take,
  throwError,
  toArray,
} from 'rxjs';
import { currentLease } from '../../lib/context/current-lease.js';
import {
  LockBusyError,
  LockKeyError,
  LockLostError,
  LockOptionsError,
  LockUnavailableError,
} from '../../lib/errors/index.js';
import { LockInterceptor } from '../../lib/lock.interceptor.js';
import { getLockServiceProperty } from '../../lib/redis-lock.constants.js';
import { RetryAfterInterceptor } from '../../lib/retry-after.interceptor.js';
import { waitUntil } from '../helpers/wait-until.js';
import { deferred, fakeLocks, settle } from '../helpers/fake-service.js';

class OrderController {
  pay(): void {}

  @Sse()
  async events(): Promise<unknown> {
    return undefined;
  }

  @Header('X-Test', 'typed')
  watch(): Observable<unknown> {
    return NEVER;
  }
}

class FakeAdapter {
  readonly headers: Record<string, string> = {};
  sent = false;
  isHeadersSent(): boolean {
    return this.sent;
  }
  setHeader(_response: unknown, name: string, value: string): void {
    this.headers[name] = value;
  }
}

function contextOf(request: unknown, type = 'http', name: keyof OrderController = 'pay'): ExecutionContextHost {
  const context = new ExecutionContextHost([request, {}], OrderController, OrderController.prototype[name]);
  context.setType(type);
  return context;
}

function setUp(interceptorClass: Type<NestInterceptor> = LockInterceptor.with('tenant:<0.tenant>')) {
  const fake = fakeLocks();
  const adapter = new FakeAdapter();
  const adapterHost = new HttpAdapterHost();
  adapterHost.httpAdapter = adapter as never;
  const interceptor = Object.assign(new interceptorClass(), {
    [getLockServiceProperty()]: fake.locks,
    adapterHost,
  });
  const handle = (source: () => unknown, request: unknown = { tenant: 'a' }, type?: string): Observable<unknown> => {
    const next: CallHandler = { handle: () => defer(() => source() as Observable<unknown>) };
    return interceptor.intercept(contextOf(request, type), next) as Observable<unknown>;
  };
  return { ...fake, adapter, handle, interceptor };
}

describe('LockInterceptor.with', () => {
  it('should take the lock before the handler and give it back before its result is passed on', async () => {
    const { handle, engine } = setUp();
    const log: unknown[] = [];
    engine.onGrant = (holding) => {
      log.push(`acquire ${holding.name} for ${holding.label}`);
      holding.onRelease = async () => {
        await settle();
        log.push('release');
        return true;
      };
    };
    const result = handle(async () => {
      await settle();
      log.push(`handler under ${currentLease()?.key}`);
      return 'done';
    });
    log.push(await lastValueFrom(result));
    expect(log).toEqual(['acquire tenant:a for OrderController.pay', 'handler under tenant:a', 'release', 'done']);
  });

  it('should pass an error on after the release', async () => {
    const { handle, engine } = setUp();
    const error = new Error('out of stock');
    await expect(lastValueFrom(handle(() => throwError(() => error)))).rejects.toBe(error);
    expect(engine.last.releases).toBe(1);
  });

  it('should give the lock back when the subscriber leaves', async () => {
    const { handle, engine } = setUp();
    expect(await lastValueFrom(handle(() => interval(1)).pipe(take(2), toArray()))).toEqual([0, 1]);
    await waitUntil(() => engine.active === 0, 'the release');
  });

  it('should hold the lock to the end of a promise whose subscriber has left', async () => {
    const { handle, engine } = setUp();
    const end = deferred();
    const subscription = handle(() => end.promise).subscribe();
    await settle();
    subscription.unsubscribe();
    await settle();
    expect(engine.active).toBe(1);
    end.resolve();
    await waitUntil(() => engine.active === 0, 'the release');
  });

  it('should hold the lock to the end of a promise that fails when its subscriber has left', async () => {
    const { handle, engine } = setUp();
    const end = deferred();
    const subscription = handle(() => end.promise).subscribe();
    await settle();
    subscription.unsubscribe();
    end.reject(new Error('nobody hears of this'));
    await waitUntil(() => engine.active === 0, 'the release');
  });

  it.each(['events', 'watch'] as const)(
    'should stop a handler that gives a stream when its subscriber leaves before the first value (%s)',
    async (name) => {
      const { interceptor, engine } = setUp();
      const source = new Subject();
      const next: CallHandler = { handle: () => source };
      const result = interceptor.intercept(contextOf({ tenant: 'a' }, 'http', name), next) as Observable<unknown>;
      const subscription = result.subscribe();
      await waitUntil(() => source.observed, 'the handler');
      subscription.unsubscribe();
      expect(source.observed).toBe(false);
      await waitUntil(() => engine.active === 0, 'the release');
    },
  );

  it('should stop a stream that nobody announced at its first value', async () => {
    const { handle, engine } = setUp();
    const source = new Subject();
    const log: unknown[] = [];
    const subscription = handle(() => source).subscribe((value) => log.push(value));
    await waitUntil(() => source.observed, 'the handler');
    subscription.unsubscribe();
    source.next(1);
    expect([source.observed, log]).toEqual([false, []]);
    await waitUntil(() => engine.active === 0, 'the release');
  });

  it.each(['before', 'during the release'])(
    'should close the file of an answer whose subscriber has left (%s)',
    async (moment) => {
      const { handle, engine } = setUp();
      const end = deferred();
      const released = deferred();
      const file = Readable.from(['text']);
      engine.onGrant = (holding) => (holding.onRelease = () => released.promise.then(() => true));
      const subscription = handle(() => end.promise.then(() => new StreamableFile(file))).subscribe();
      await settle();
      if (moment === 'before') subscription.unsubscribe();
      end.resolve();
      await settle();
      subscription.unsubscribe();
      released.resolve();
      await waitUntil(() => file.destroyed, 'the end of the file');
    },
  );

  it('should hold the lock to the end of promises among the values, as an async function in a map gives them', async () => {
    const { handle, engine } = setUp();
    const ends = [deferred<string>(), deferred<string>()];
    const log: unknown[] = [];
    handle(() => from(ends).pipe(map(async (end) => end.promise))).subscribe((value) => log.push(value));
    await settle();
    expect([engine.active, log.length]).toEqual([1, 1]);
    ends[1]?.resolve('second');
    await settle();
    expect(engine.active).toBe(1);
    ends[0]?.resolve('first');
    await waitUntil(() => log.length === 2, 'the end');
    expect(engine.active).toBe(0);
    expect(await Promise.all(log)).toEqual(['first', 'second']);
  });

  it('should pass on a promise that fails, which nobody else hears of', async () => {
    const { handle, engine } = setUp();
    const error = new Error('out of stock');
    const result = handle(() => of(1).pipe(map(async () => settle().then(() => Promise.reject(error)))));
    await expect(lastValueFrom(result)).rejects.toBe(error);
    expect(engine.active).toBe(0);
  });

  it('should make its key with a function of the arguments, too', async () => {
    const { handle, engine } = setUp(LockInterceptor.with((request: { id: string }) => `order:${request.id}`));
    await lastValueFrom(handle(() => of(1), { id: '7' }));
    expect(engine.last.name).toBe('order:7');
  });

  it('should let the handler take the same lock again', async () => {
    const { handle, engine, locks } = setUp();
    expect(await lastValueFrom(handle(() => locks.withLock('tenant:a', { wait: 0 }, () => 'in')))).toBe('in');
    expect(engine.requests).toHaveLength(1);
  });

  it('should wait for the end of a handler that gives one result, and then tell of the loss', async () => {
    const { handle, engine } = setUp();
    const result = lastValueFrom(
      handle(async () => {
        engine.last.lose();
        await settle();
        return 42;
      }),
    );
    await expect(result).rejects.toMatchObject({ code: 'LOCK_LOST', result: 42 });
  });

  it('should end a stream at the loss once it has emitted', async () => {
    const { handle, engine } = setUp();
    const source = new Subject();
    const log: unknown[] = [];
    handle(() => source).subscribe({ next: (value) => log.push(value), error: (error) => log.push(error) });
    await settle();
    source.next(1);
    await settle();
    expect(log).toEqual([1]);
    engine.last.lose();
    expect(log).toEqual([1, expect.any(LockLostError)]);
    expect(source.observed).toBe(false);
  });

  it('should hold the lock while a generator that the handler returned is read', async () => {
    const { handle, engine } = setUp();
    const generator = (await lastValueFrom(
      handle(() =>
        of(
          (async function* () {
            yield currentLease()?.key;
          })(),
        ),
      ),
    )) as AsyncGenerator<unknown>;
    expect(engine.active).toBe(0);
    expect(await generator.next()).toEqual({ done: false, value: 'tenant:a' });
    expect(engine.active).toBe(1);
    await generator.return(undefined);
    expect(engine.active).toBe(0);
  });

  it('should never call the handler without the lock', async () => {
    let ran = false;
    const { handle, engine, locks } = setUp(LockInterceptor.with('k', { wait: 0 }));
    const handler = (): Observable<number> => {
      ran = true;
      return of(1);
    };
    const lease = await locks.acquire('k');
    await expect(lastValueFrom(handle(handler))).rejects.toThrow(LockBusyError);
    await lease.release();
    engine.outage = new LockUnavailableError('down');
    await expect(lastValueFrom(handle(handler))).rejects.toBe(engine.outage);
    expect(ran).toBe(false);
  });

  it('should give undefined for a busy lock with onBusy "skip"', async () => {
    const { handle, locks } = setUp(LockInterceptor.with('k', { onBusy: 'skip' }));
    await locks.acquire('k');
    expect(await lastValueFrom(handle(() => of(1)).pipe(toArray()))).toEqual([undefined]);
  });

  it('should refuse a request that its key cannot be made from', async () => {
    const { handle, engine } = setUp();
    await expect(lastValueFrom(handle(() => of(1), {}))).rejects.toThrow(LockKeyError);
    expect(engine.requests).toHaveLength(0);
  });

  it('should fail without a service, saying what to do', async () => {
    const interceptor = new (LockInterceptor.with('k'))();
    const result = interceptor.intercept(contextOf({}), { handle: () => of(1) }) as Observable<unknown>;
    await expect(lastValueFrom(result)).rejects.toThrow(/LockInterceptor has no LockService.*APP_INTERCEPTOR/s);
  });

  it('should refuse a wrong key and wrong options at once, and to be used without a key', () => {
    expect(() => LockInterceptor.with('<0' as never)).toThrow(LockKeyError);
    expect(() => LockInterceptor.with('k', { ttl: '1' })).toThrow(/LockInterceptor\.with.*ttl/);
    const Bare = LockInterceptor as unknown as Type<NestInterceptor>;
    expect(() => new Bare()).toThrow(LockOptionsError);
  });

  it('should tell an HTTP client when to come back', async () => {
    const { handle, locks, adapter } = setUp(LockInterceptor.with('k', { wait: 0 }));
    await locks.acquire('k');
    await expect(lastValueFrom(handle(() => of(1), {}, 'rpc'))).rejects.toThrow(LockBusyError);
    expect(adapter.headers).toEqual({});
    await expect(lastValueFrom(handle(() => of(1), {}))).rejects.toThrow(LockBusyError);
    expect(adapter.headers).toEqual({ 'Retry-After': '2' });
  });
});

describe('RetryAfterInterceptor', () => {
  const intercept = async (error: unknown, type: string, adapter: FakeAdapter | undefined): Promise<void> => {
    const host = new HttpAdapterHost();
    if (adapter) host.httpAdapter = adapter as never;
    const next = { handle: () => from(Promise.reject(error as Error)) };
    const result = new RetryAfterInterceptor(host).intercept(contextOf({}, type), next);
    await expect(lastValueFrom(result)).rejects.toBe(error);
  };

  it('should set the header for a busy lock and pass the same error on', async () => {
    const adapter = new FakeAdapter();
    await intercept(new LockBusyError('busy', 'k', 61_000), 'http', adapter);
    expect(adapter.headers).toEqual({ 'Retry-After': '61' });
  });

  it.each([
    ['for another error', new LockUnavailableError('down'), 'http'],
    ['for an error that is none', undefined, 'http'],
    ['on another transport', new LockBusyError('busy', 'k', 1), 'ws'],
  ])('should set nothing %s', async (_, error, type) => {
    const adapter = new FakeAdapter();
    await intercept(error, type, adapter);
    expect(adapter.headers).toEqual({});
  });

  it.each([
    ['GraphQL', 'graphql', {}],
    ['events that have begun (Express)', 'http', { headersSent: true }],
    ['events that have begun (Fastify)', 'http', { raw: { headersSent: true } }],
  ])('should keep the key from a client that is shown messages: %s [BC-73]', async (_, type, response) => {
    const error = new LockBusyError('Lock "secret" is busy', 'secret', 61_000);
    const context = new ExecutionContextHost([{}, response], OrderController, OrderController.prototype.pay);
    context.setType(type);
    const next = { handle: () => throwError(() => error) };
    const seen: unknown = await lastValueFrom(
      new RetryAfterInterceptor(new HttpAdapterHost()).intercept(context, next),
    ).catch((thrown: unknown) => thrown);
    expect(seen).toBeInstanceOf(LockBusyError);
    expect(seen).toMatchObject({
      name: 'LockBusyError',
      message: 'The resource is locked. Try again later.',
      code: 'LOCK_BUSY',
      key: 'secret',
      retryAfter: 61,
    });
    expect((seen as LockBusyError).getStatus()).toBe(423);
    expect(error.message).toBe('Lock "secret" is busy');
  });

  it('should set nothing when the headers are out, or nobody can set them', async () => {
    const adapter = Object.assign(new FakeAdapter(), { sent: true });
    await intercept(new LockBusyError('busy', 'k', 1), 'http', adapter);
    expect(adapter.headers).toEqual({});
    await intercept(new LockBusyError('busy', 'k', 1), 'http', undefined);
  });
});
