import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  EMPTY,
  Observable,
  concat,
  from,
  interval,
  lastValueFrom,
  of,
  range,
  Subject,
  take,
  tap,
  throwError,
  timer,
  toArray,
} from 'rxjs';
import { currentLease } from '../../lib/context/current-lease.js';
import { WithLock } from '../../lib/decorators/index.js';
import {
  LockBusyError,
  LockKeyError,
  LockLostError,
  LockOptionsError,
  LockUnavailableError,
} from '../../lib/errors/index.js';
import { bindLockService } from '../../lib/testing/index.js';
import { collectGarbage } from '../helpers/collect-garbage.js';
import { waitUntil } from '../helpers/wait-until.js';
import { deferred, fakeLocks, settle } from '../helpers/fake-service.js';

let work: () => Observable<unknown> = () => EMPTY;

class Streams {
  @WithLock('k')
  watch(): Observable<unknown> {
    return work();
  }

  @WithLock('k:<0>')
  keyed(_id?: string): Observable<unknown> {
    return work();
  }

  @WithLock('k', { onBusy: 'skip' })
  skipped(): Observable<unknown> {
    return work();
  }

  @WithLock('k', { wait: 0 })
  impatient(): Observable<unknown> {
    return work();
  }

  @WithLock('k', { onLost: 'ignore' })
  careless(): Observable<unknown> {
    return work();
  }
}

function streams(source: () => Observable<unknown>) {
  const fake = fakeLocks();
  const log: string[] = [];
  work = source;
  fake.engine.onGrant = (holding) => {
    log.push('acquire');
    holding.onRelease = async () => {
      await settle();
      log.push('release');
      return !holding.lost;
    };
  };
  return { ...fake, log, object: bindLockService(new Streams(), fake.locks) };
}

/** Everything that a subscriber sees. */
function record(source: Observable<unknown>, log: unknown[] = []) {
  const subscription = source.subscribe({
    next: (value) => log.push(value),
    error: (error: unknown) => log.push(error),
    complete: () => log.push('complete'),
  });
  return { log, subscription };
}

describe('A locked method that returns an Observable', () => {
  it('should take the lock on subscribe and give it back on complete, once [BC-03]', async () => {
    const { object, log, engine } = streams(() => timer(5).pipe(tap(() => log.push('work'))));
    const stream = object.watch();
    await settle();
    expect(log).toEqual([]);
    record(stream, log);
    await waitUntil(() => log.includes('complete'), 'complete');
    expect(log).toEqual(['acquire', 'work', 'release', 0, 'complete']);
    expect(engine.last.releases).toBe(1);
  });

  it('should pass the last value on after the release when the source ends with it', async () => {
    const { object, log } = streams(() => of('a', 'b'));
    record(object.watch(), log);
    await waitUntil(() => log.includes('complete'), 'complete');
    expect(log).toEqual(['acquire', 'a', 'release', 'b', 'complete']);
  });

  it('should pass values of a live stream on at once', async () => {
    const source = new Subject<number>();
    const { object, log } = streams(() => source);
    record(object.watch(), log);
    await settle();
    source.next(1);
    await Promise.resolve();
    expect(log).toEqual(['acquire', 1]);
    source.next(2);
    source.next(3);
    await Promise.resolve();
    expect(log).toEqual(['acquire', 1, 2, 3]);
    source.complete();
    await waitUntil(() => log.includes('complete'), 'complete');
    expect(log).toEqual(['acquire', 1, 2, 3, 'release', 'complete']);
  });

  it('should hold a lock of its own for each subscription', async () => {
    let running = 0;
    const { object, engine } = streams(() => {
      expect(++running).toBe(1);
      return timer(3).pipe(tap(() => (running -= 1)));
    });
    const stream = object.watch();
    await Promise.all([lastValueFrom(stream), lastValueFrom(stream)]);
    expect(engine.requests).toHaveLength(2);
    expect(engine.active).toBe(0);
  });

  it('should give the lock back before the error is passed on', async () => {
    const error = new Error('out of stock');
    const { object, log } = streams(() =>
      concat(
        of(1),
        throwError(() => error),
      ),
    );
    const { log: seen } = record(object.watch(), log);
    await waitUntil(() => seen.includes(error), 'the error');
    expect(log).toEqual(['acquire', 'release', 1, error]);
  });

  it('should pass on an error that the method throws', async () => {
    const error = new Error('at once');
    const { object, log } = streams(() => {
      throw error;
    });
    await expect(lastValueFrom(object.watch())).rejects.toBe(error);
    expect(log).toEqual(['acquire', 'release']);
  });

  it('should give the lock back when the subscriber leaves', async () => {
    const { object, log, engine } = streams(() => interval(1).pipe(tap({ unsubscribe: () => log.push('stopped') })));
    record(object.watch().pipe(take(2)), log);
    await waitUntil(() => log.includes('release'), 'the release');
    expect(log).toEqual(['acquire', 0, 1, 'complete', 'stopped', 'release']);
    expect(engine.active).toBe(0);
  });

  it('should stop a source that never pauses when the subscriber leaves', async () => {
    const { object, engine } = streams(() => range(1, Infinity));
    expect(await lastValueFrom(object.watch().pipe(take(3), toArray()))).toEqual([1, 2, 3]);
    await waitUntil(() => engine.active === 0, 'the release');
  });

  it('should leave the line when the subscriber leaves before the lock is there', async () => {
    let ran = false;
    const { object, engine, locks } = streams(() => {
      ran = true;
      return of(1);
    });
    const lease = await locks.acquire('k');
    const { log, subscription } = record(object.watch());
    await settle();
    subscription.unsubscribe();
    await lease.release();
    await settle();
    expect({ ran, log, granted: engine.holdings.length }).toEqual({ ran: false, log: [], granted: 1 });
  });

  it('should give back a lock that is granted after the subscriber has left', async () => {
    let ran = false;
    const { object, engine } = streams(() => {
      ran = true;
      return of(1);
    });
    engine.onGrant = () => queueMicrotask(() => subscription.unsubscribe());
    const { log, subscription } = record(object.watch());
    await settle();
    expect(engine.holdings).toHaveLength(1);
    expect({ ran, log, active: engine.active }).toEqual({ ran: false, log: [], active: 0 });
  });

  it('should run inside the lock, wherever the source works', async () => {
    const { object, engine } = streams(
      () =>
        new Observable((subscriber) => {
          const fence = currentLease()?.fence;
          setTimeout(() => {
            subscriber.next([fence, currentLease()?.fence]);
            subscriber.complete();
          }, 1);
        }),
    );
    expect(await lastValueFrom(object.watch())).toEqual([1, 1]);
    expect(engine.requests).toHaveLength(1);
    expect(currentLease()).toBeUndefined();
  });

  it('should not flatten an Observable of Observables', async () => {
    const inner = of(1);
    const { object } = streams(() => of(inner));
    expect(await lastValueFrom(object.watch())).toBe(inner);
  });

  it('should end a stream at the loss, and stop its source', async () => {
    const { object, log, engine } = streams(() => interval(1).pipe(tap({ unsubscribe: () => log.push('stopped') })));
    const { log: seen } = record(object.watch());
    await waitUntil(() => seen.length > 1, 'values');
    engine.last.lose();
    expect(seen.at(-1)).toBeInstanceOf(LockLostError);
    const count = seen.length;
    await waitUntil(() => log.includes('release'), 'the release');
    expect(log).toEqual(['acquire', 'stopped', 'release']);
    expect(seen).toHaveLength(count);
  });

  it('should end at a loss that comes before the first value', async () => {
    const { object, engine } = streams(() => new Subject());
    const { log: seen } = record(object.watch());
    await settle();
    engine.last.lose();
    expect(seen).toEqual([expect.any(LockLostError)]);
    expect(engine.last.listening).toBe(0);
  });

  it('should attach the last value when only the release tells of the loss', async () => {
    const { object, engine } = streams(() => of(1, 2));
    engine.onGrant = (holding) => {
      holding.onRelease = () => false;
    };
    const { log: seen } = record(object.watch());
    await settle();
    expect(seen).toEqual([1, expect.objectContaining({ code: 'LOCK_LOST', result: 2 })]);
  });

  it('should go on after a loss with onLost "ignore"', async () => {
    const source = new Subject<number>();
    const { object, engine, logger } = streams(() => source);
    const { log: seen } = record(object.careless());
    await settle();
    engine.last.lose();
    source.next(1);
    source.complete();
    await waitUntil(() => seen.includes('complete'), 'complete');
    expect(seen).toEqual([1, 'complete']);
    expect(logger.warnings).toEqual([expect.stringContaining('Streams.careless')]);
  });

  it('should take its listener off when it ends', async () => {
    const { object, engine } = streams(() => timer(1));
    await lastValueFrom(object.watch());
    expect(engine.last.listening).toBe(0);
  });

  it('should emit one undefined for a busy lock with onBusy "skip", and never work without a lock', async () => {
    let ran = false;
    const { object, engine, locks } = streams(() => {
      ran = true;
      return of(1);
    });
    const lease = await locks.acquire('k');
    expect(await lastValueFrom(object.skipped().pipe(toArray()))).toEqual([undefined]);
    await expect(lastValueFrom(object.impatient())).rejects.toThrow(LockBusyError);
    await lease.release();
    engine.outage = new LockUnavailableError('down');
    await expect(lastValueFrom(object.skipped())).rejects.toBe(engine.outage);
    expect(ran).toBe(false);
  });

  it('should report what is wrong to the subscriber, not to the caller', async () => {
    const { object, engine } = streams(() => of(1));
    await expect(lastValueFrom(object.keyed())).rejects.toThrow(LockKeyError);
    await expect(lastValueFrom(new Streams().watch())).rejects.toThrow(LockOptionsError);
    expect(engine.requests).toHaveLength(0);
  });
});

let steps: () => AsyncGenerator<unknown, unknown, unknown> = async function* () {};

class Generators {
  readonly factor = 2;

  @WithLock('k')
  async *walk(): AsyncGenerator<unknown, unknown, unknown> {
    return yield* steps();
  }

  @WithLock('k:<0>')
  async *keyed(_id?: string) {}

  @WithLock('k', { onBusy: 'skip' })
  async *skipped() {
    yield 1;
  }

  @WithLock('k', { onLost: 'ignore' })
  async *careless() {
    yield* steps();
  }
}

function generators(source: typeof steps) {
  const fake = fakeLocks();
  steps = source;
  return { ...fake, object: bindLockService(new Generators(), fake.locks) };
}

describe('A locked async generator', () => {
  it('should hold the lock from the first value to the end', async () => {
    const { object, engine } = generators(async function* () {
      yield currentLease()?.fence;
      await settle();
      yield currentLease()?.fence;
      return 'end';
    });
    const generator = object.walk();
    await settle();
    expect(engine.requests).toHaveLength(0);
    expect(await generator.next()).toEqual({ done: false, value: 1 });
    expect(engine.active).toBe(1);
    expect(await generator.next()).toEqual({ done: false, value: 1 });
    expect(await generator.next()).toEqual({ done: true, value: 'end' });
    expect(engine.active).toBe(0);
    expect(await generator.next()).toEqual({ done: true, value: undefined });
    expect(currentLease()).toBeUndefined();
  });

  it('should pass values and errors in both directions', async () => {
    const { object, engine } = generators(async function* () {
      const sent = yield 'ready';
      try {
        yield sent;
      } catch (error) {
        yield (error as Error).message;
      }
      throw new Error('at the end');
    });
    const generator = object.walk();
    expect(await generator.next()).toMatchObject({ value: 'ready' });
    expect(await generator.next('sent')).toMatchObject({ value: 'sent' });
    expect(await generator.throw(new Error('thrown in'))).toMatchObject({ value: 'thrown in' });
    await expect(generator.next()).rejects.toThrow('at the end');
    expect(engine.last.releases).toBe(1);
  });

  it('should give the lock back when the consumer breaks off, after the cleanup of the source', async () => {
    const log: string[] = [];
    const { object, engine } = generators(async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        await settle();
        log.push(`cleanup, held: ${currentLease()?.held}`);
      }
    });
    for await (const value of object.walk()) {
      log.push(`value ${String(value)}`);
      break;
    }
    expect(log).toEqual(['value 1', 'cleanup, held: true']);
    expect(engine.active).toBe(0);
  });

  it('should take no lock when return() comes before the first value', async () => {
    const { object, engine } = generators(async function* () {
      yield 1;
    });
    const generator = object.walk();
    expect(await generator.return('early')).toEqual({ done: true, value: 'early' });
    expect(await generator.next()).toMatchObject({ done: true });
    expect(engine.requests).toHaveLength(0);
  });

  it('should end with the loss at the next step, after the cleanup of the source', async () => {
    let cleaned = false;
    const { object, engine } = generators(async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        cleaned = true;
      }
    });
    const generator = object.walk();
    await generator.next();
    engine.last.lose();
    await expect(generator.next()).rejects.toThrow(LockLostError);
    expect(cleaned).toBe(true);
    expect(await generator.next()).toEqual({ done: true, value: undefined });
    expect(engine.last.releases).toBe(1);
  });

  it('should not hand out a value that was made while the lock was lost', async () => {
    const { object, engine } = generators(async function* () {
      engine.last.lose();
      yield 1;
    });
    await expect(object.walk().next()).rejects.toThrow(LockLostError);
  });

  it('should let an error of the source win over the loss', async () => {
    const { object, engine } = generators(async function* () {
      yield 1;
      engine.last.lose();
      throw new Error('out of stock');
    });
    const generator = object.walk();
    await generator.next();
    await expect(generator.next()).rejects.toThrow('out of stock');
  });

  it('should fail with the result when the release says that it was not ours', async () => {
    const { object, engine } = generators(async function* () {
      yield 1;
      return 'end';
    });
    engine.onGrant = (holding) => {
      holding.onRelease = () => false;
    };
    const generator = object.walk();
    await generator.next();
    await expect(generator.next()).rejects.toMatchObject({ code: 'LOCK_LOST', result: 'end' });
  });

  it('should go on after a loss with onLost "ignore"', async () => {
    const { object, engine, logger } = generators(async function* () {
      yield 1;
      engine.last.lose();
      yield 2;
    });
    expect(await lastValueFrom(from(object.careless()).pipe(toArray()))).toEqual([1, 2]);
    expect(logger.warnings).toEqual([expect.stringContaining('Generators.careless')]);
  });

  it('should end at once for a busy lock with onBusy "skip"', async () => {
    const { object, engine, locks } = generators(async function* () {});
    const lease = await locks.acquire('k');
    expect(await object.skipped().next()).toEqual({ done: true, value: undefined });
    await lease.release();
    expect(await object.skipped().next()).toEqual({ done: false, value: 1 });
    engine.outage = new LockUnavailableError('down');
    await expect(object.skipped().next()).rejects.toBe(engine.outage);
  });

  it('should report what is wrong at the first step', async () => {
    const { object, engine } = generators(async function* () {});
    await expect(object.keyed().next()).rejects.toThrow(LockKeyError);
    await expect(new Generators().walk().next()).rejects.toThrow(LockOptionsError);
    expect(engine.requests).toHaveLength(0);
  });

  it('should serve steps that were asked for together in their order', async () => {
    const gate = deferred();
    const { object } = generators(async function* () {
      await gate.promise;
      yield 1;
      yield 2;
    });
    const generator = object.walk();
    const asked = Promise.all([generator.next(), generator.next(), generator.next()]);
    gate.resolve();
    expect((await asked).map(({ value }) => value)).toEqual([1, 2, undefined]);
  });
});

describe('A locked async generator that the consumer drops', () => {
  it('should give its lock back', async () => {
    const { object, engine } = generators(async function* () {
      yield 1;
      yield 2;
    });
    await (async () => {
      await object.walk().next();
    })();
    expect(engine.active).toBe(1);
    await collectGarbage();
    await settle();
    expect(engine.active).toBe(0);
  });
});
