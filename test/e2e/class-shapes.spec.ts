import { describe, expect, it } from '@jest/globals';
import { Module, type MiddlewareConsumer, type NestModule, type Type } from '@nestjs/common';
import { RedisLockModule, WithLock } from 'nestjs-redis-lock';
import request from 'supertest';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import {
  FromTemplate,
  Inherited,
  LockedAbove,
  LockedBelow,
  LockedTwice,
  Mixin,
  type Worker,
} from '../src/classes/inheritance.js';
import { PrivatelyLocked, SymbolNamed, TrulyPrivate } from '../src/classes/members.js';
import { LockedMiddleware, PartsController } from '../src/classes/request-parts.js';
import { Overlap } from '../src/controllers/overlap.js';

const redis = useRedis();
const locks = () => RedisLockModule.forRoot({ connection: redis.url, defaults: { wait: '60s' } });

const CALLS = 8;

describe('A locked method', () => {
  it.each<[string, Type<Worker>, number]>([
    ['inherited', Inherited, 1],
    ['overridden, locked on both levels with one key', LockedTwice, 2],
    ['overridden without a lock, calling the locked one', LockedBelow, 1],
    ['overriding one without a lock', LockedAbove, 1],
    ['of an abstract class', FromTemplate, 1],
    ['of a mixin', Mixin, 1],
    ['named by a symbol', SymbolNamed, 1],
    ['private', PrivatelyLocked, 1],
    ['of an object with #private members', TrulyPrivate, 1],
  ])('should never overlap with another call, and nest without waiting for itself: %s', async (_, type, works) => {
    // Two objects of the class, each asked several times at once.
    const app = await startApp({
      imports: [locks()],
      providers: [Overlap, type, { provide: 'other', useClass: type }],
    });
    const workers = [app.get(type), app.get<Worker>('other')];
    const calls = Array.from({ length: CALLS }, (__, i) => (workers[i % 2] as Worker).run());
    expect(await Promise.all(calls)).toEqual(Array(CALLS).fill('work'));
    expect(app.get(Overlap)).toMatchObject({ entered: CALLS * works, most: 1 });
    expect(await redis.keys()).toEqual([]);
  });
});

describe('Locked guards, pipes and middleware', () => {
  @Module({ controllers: [PartsController], providers: [Overlap] })
  class PartsModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer.apply(LockedMiddleware).forRoutes('parts/middleware');
    }
  }

  it.each(['guard', 'pipe?q=pipe', 'middleware'])('should never overlap: %s', async (path) => {
    const app = await startApp({ imports: [locks(), PartsModule] });
    const texts = Array.from({ length: CALLS }, () => request(app.getHttpServer()).get(`/parts/${path}`).expect(200));
    expect((await Promise.all(texts)).map(({ text }) => text)).toEqual(Array(CALLS).fill(path.split('?')[0]));
    expect(app.get(Overlap)).toMatchObject({ entered: CALLS, most: 1 });
  });
});

/** The decorators as an author with other types, or none, can use them. */
type Loose = (...args: unknown[]) => (target: object, key?: PropertyKey, descriptor?: unknown) => void;

describe('A lock decorator where it cannot work', () => {
  const lock = WithLock as unknown as Loose;
  const OTHER = 'can only stand on an instance method';
  const SYNC = 'make the method async';

  it.each<[string, RegExp, () => unknown]>([
    [
      'a static method',
      new RegExp(`@WithLock on Wrong\\.run ${OTHER}`),
      () => {
        class Wrong {
          @lock('k')
          static async run(): Promise<void> {}
        }
        return Wrong;
      },
    ],
    [
      'a getter',
      new RegExp(`@WithLock on Wrong\\.run ${OTHER}`),
      () => {
        class Wrong {
          @lock('k')
          get run(): Promise<void> {
            return Promise.resolve();
          }
        }
        return Wrong;
      },
    ],
    [
      'a setter',
      new RegExp(`@WithLock on Wrong\\.run ${OTHER}`),
      () => {
        class Wrong {
          @lock('k')
          set run(_value: string) {}
        }
        return Wrong;
      },
    ],
    [
      'a property',
      new RegExp(`@WithLock on Wrong\\.run ${OTHER}`),
      () => {
        class Wrong {
          @lock('k')
          run = 1;
        }
        return Wrong;
      },
    ],
    [
      'a property that holds a function',
      new RegExp(`@WithLock on Wrong\\.run ${OTHER}`),
      () => {
        class Wrong {
          @lock('k')
          run = async () => undefined;
        }
        return Wrong;
      },
    ],
    [
      'a class',
      new RegExp(`@WithLock on Wrong ${OTHER}`),
      () => {
        @lock('k')
        class Wrong {}
        return Wrong;
      },
    ],
    [
      'a method that is not asynchronous',
      new RegExp(`@WithLock on Wrong\\.run: ${SYNC}`),
      () => {
        class Wrong {
          @lock('k')
          run(): string {
            return 'at once';
          }
        }
        return Wrong;
      },
    ],
  ])('should be refused with the name of the place and what to do: %s', (_, message, define) => {
    expect(define).toThrow(expect.objectContaining({ code: 'LOCK_OPTIONS', message: expect.stringMatching(message) }));
  });
});
