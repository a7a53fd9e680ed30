import { describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import {
  LockBusyError,
  LockKeyError,
  LockLostError,
  LockOptionsError,
  LockUnavailableError,
} from '../../lib/errors/index.js';
import type { Lease } from '../../lib/interfaces/index.js';
import { collectGarbage } from '../helpers/collect-garbage.js';
import { fakeLocks } from '../helpers/fake-service.js';

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('did not fail');
    },
    (error: unknown) => error,
  );

describe('LockService.withLock', () => {
  it('should run the task with its lease and give the lock back', async () => {
    const { locks, engine } = fakeLocks();
    const result = await locks.withLock('order:1', async (lease) => {
      expect(lease).toMatchObject({ key: 'order:1', keys: ['order:1'], token: 'token-1', fence: 1, held: true });
      expect(lease.remaining).toBeGreaterThan(0);
      lease.assertHeld();
      return 42;
    });
    expect(result).toBe(42);
    expect(engine.last.releases).toBe(1);
  });

  it('should call the task as a function of its own', async () => {
    const { locks } = fakeLocks();
    const seen = await locks.withLock('k', function (this: unknown) {
      return { self: this };
    });
    expect(seen).toEqual({ self: undefined });
  });

  it('should not enter with a lease that ran out between the grant and the task (BC-53)', async () => {
    const { locks, engine } = fakeLocks();
    engine.onGrant = (holding) => holding.lose(true);
    let entered = false;
    const unavailable = { code: 'LOCK_UNAVAILABLE', cause: { code: 'LOCK_LOST' } };
    await expect(locks.withLock('k', () => (entered = true))).rejects.toMatchObject(unavailable);
    await expect(locks.acquire('k', { wait: 0 })).rejects.toMatchObject(unavailable);
    expect(entered).toBe(false);
    expect(engine.holdings.map(({ releases }) => releases)).toEqual([1, 1, 1, 1]);
  });

  it('should try again with what is left of the wait after such a lease', async () => {
    const { locks, engine } = fakeLocks();
    engine.onGrant = (holding) => engine.holdings.length === 1 && holding.lose(true);
    expect(await locks.withLock('k', () => 'done')).toBe('done');
    expect(engine.requests.map(({ wait }) => wait)).toEqual([5_000, expect.any(Number)]);
  });

  it.each([
    ['a plain value', () => 7],
    ['a thenable', () => ({ then: (accept: (value: number) => void) => accept(7) })],
    ['a promise', () => Promise.resolve(7)],
    ['a promise of which somebody has taken `then`', () => Object.assign(Promise.resolve(7), { then: undefined })],
    ['a promise with a `then` of its own', () => Object.assign(Promise.resolve(7), { then: () => undefined })],
  ])('should take %s as result', async (_, task) => {
    const { locks, engine } = fakeLocks();
    await expect(locks.withLock('k', task as () => number)).resolves.toBe(7);
    expect(engine.last.releases).toBe(1);
  });

  it.each([
    ['thrown', () => Promise.reject(new Error('out of stock'))],
    [
      'thrown synchronously',
      () => {
        throw new Error('out of stock');
      },
    ],
  ])('should pass on the very error that was %s, after the release', async (_, task) => {
    const { locks, engine } = fakeLocks();
    let thrown: unknown;
    const error = await failure(
      locks.withLock('k', async () => {
        try {
          return await task();
        } catch (error) {
          thrown = error;
          throw error;
        }
      }),
    );
    expect(error).toBe(thrown);
    expect(engine.last.releases).toBe(1);
  });

  it('should pass on an error that the task throws before it returns', async () => {
    const { locks, engine } = fakeLocks();
    const error = new Error('at once');
    const task = (): never => {
      throw error;
    };
    expect(await failure(locks.withLock('k', task))).toBe(error);
    expect(engine.last.releases).toBe(1);
  });

  it('should wait for the release before it settles', async () => {
    const { locks, engine } = fakeLocks();
    const log: string[] = [];
    engine.onGrant = (holding) => {
      holding.onRelease = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push('released');
        return true;
      };
    };
    await locks.withLock('k', () => 1).then(() => log.push('settled'));
    await failure(locks.withLock('k', () => Promise.reject(new Error('x')))).then(() => log.push('settled'));
    expect(log).toEqual(['released', 'settled', 'released', 'settled']);
  });

  it('should never enter the task without the lock', async () => {
    const { locks, engine } = fakeLocks();
    let ran = false;
    const task = (): void => {
      ran = true;
    };
    const lease = await locks.acquire('k');
    await expect(locks.withLock('k', { wait: 0 }, task)).rejects.toThrow(LockBusyError);
    await lease.release();
    engine.outage = new LockUnavailableError('down');
    await expect(locks.withLock('k', task)).rejects.toBe(engine.outage);
    await expect(locks.withSemaphore('k', 3, task)).rejects.toBe(engine.outage);
    expect(ran).toBe(false);
  });

  it('should throw when the module skips what is busy, since there is no result to skip with', async () => {
    const { locks } = fakeLocks({ onBusy: 'skip' });
    await locks.withLock('k', async () => {
      await expect(locks.withLock('k', { reentrant: false }, () => 1)).rejects.toThrow(LockBusyError);
    });
  });

  it('should label the call with the name of the task', async () => {
    const { locks, engine } = fakeLocks();
    async function settleAccount(): Promise<void> {}
    await locks.withLock('k', settleAccount);
    await locks.withLock('k', () => undefined);
    await locks.withSemaphore('k', 2, () => undefined);
    await (await locks.acquire('k')).release();
    expect(engine.requests.map(({ label }) => label)).toEqual([
      'settleAccount',
      'withLock',
      'withSemaphore',
      'acquire',
    ]);
  });

  it('should hand its options to the engine, in milliseconds and with the defaults of the module', async () => {
    const { locks, engine } = fakeLocks({ wait: 1000, headStart: 5 });
    await locks.withLock('k', () => undefined);
    await locks.withLock(
      'k',
      { ttl: '30s', wait: Infinity, renew: false, minHold: '1s', maxHold: '1m' },
      () => undefined,
    );
    expect(engine.requests[0]).toMatchObject({ kind: 'lock', name: 'k', ttl: 10_000, wait: 1000, weight: 1, limit: 1 });
    expect(engine.requests[1]).toMatchObject({
      ttl: 30_000,
      wait: Infinity,
      renew: false,
      minHold: 1000,
      maxHold: 60_000,
      headStart: 5,
    });
  });

  it.each([
    ['an Observable', () => of(1)],
    ['an async generator', async function* () {}],
    ['a generator', function* () {}],
  ])('should refuse %s, whose work would begin after the release', async (_, task) => {
    const { locks, engine } = fakeLocks();
    await expect(locks.withLock('k', task as () => unknown)).rejects.toThrow(LockOptionsError);
    expect(engine.last.releases).toBe(1);
  });
});

describe('The end of a section', () => {
  it('should let the result pass when the release is not answered, with a warning', async () => {
    const { locks, engine, logger } = fakeLocks();
    engine.onGrant = (holding) => {
      holding.onRelease = () => Promise.reject(new LockUnavailableError('no answer'));
    };
    await expect(locks.withLock('k', () => 42)).resolves.toBe(42);
    expect(logger.warnings).toEqual([expect.stringMatching(/"k".*withLock.*no answer/)]);
  });

  it('should not let a failing release hide the error of the task', async () => {
    const { locks, engine, logger } = fakeLocks();
    const outOfStock = new Error('out of stock');
    engine.onGrant = (holding) => {
      holding.onRelease = () => Promise.reject(new LockUnavailableError('no answer'));
    };
    expect(await failure(locks.withLock('k', () => Promise.reject(outOfStock)))).toBe(outOfStock);
    expect(logger.warnings).toHaveLength(1);
  });

  it.each([
    ['the lease was lost', false],
    ['the release says that it was not ours', true],
  ])('should reject with the result attached when %s', async (_, onlyAtRelease) => {
    const { locks, engine } = fakeLocks();
    const error = await failure(
      locks.withLock('k', () => {
        if (onlyAtRelease) engine.last.onRelease = () => false;
        else engine.last.lose();
        return 42;
      }),
    );
    expect(error).toBeInstanceOf(LockLostError);
    expect(error).toMatchObject({ result: 42, key: 'k' });
  });

  it('should abort the signal at the loss, and let the task end', async () => {
    const { locks, engine } = fakeLocks();
    const seen: unknown[] = [];
    await failure(
      locks.withLock('k', async (lease) => {
        lease.signal.addEventListener('abort', () => seen.push(lease.signal.reason));
        engine.last.lose();
        expect(lease.held).toBe(false);
        expect(lease.remaining).toBe(0);
        expect(() => lease.assertHeld()).toThrow(LockLostError);
        await Promise.resolve();
        seen.push('end');
      }),
    );
    expect(seen).toEqual([expect.any(LockLostError), 'end']);
  });

  it.each(['throw', 'ignore'] as const)(
    'should let the error of the task win over a loss, with onLost %p',
    async (onLost) => {
      const { locks, engine } = fakeLocks();
      const outOfStock = new Error('out of stock');
      const task = (): Promise<never> => {
        engine.last.lose();
        return Promise.reject(outOfStock);
      };
      expect(await failure(locks.withLock('k', { onLost }, task))).toBe(outOfStock);
    },
  );

  it('should pass the result on with onLost "ignore", with a warning', async () => {
    const { locks, engine, logger } = fakeLocks();
    const task = (): number => {
      engine.last.lose();
      return 42;
    };
    await expect(locks.withLock('k', { onLost: 'ignore' }, task)).resolves.toBe(42);
    expect(logger.warnings).toEqual([expect.stringMatching(/task.*"k" lost/)]);
  });

  it('should give nested calls errors of their own, each with its result', async () => {
    const { locks, engine } = fakeLocks();
    let inner: unknown;
    const outer = await failure(
      locks.withLock('k', async () => {
        inner = await failure(
          locks.withLock('k', () => {
            engine.last.lose();
            return 'inner';
          }),
        );
        return 'outer';
      }),
    );
    expect(inner).toMatchObject({ code: 'LOCK_LOST', result: 'inner' });
    expect(outer).toMatchObject({ code: 'LOCK_LOST', result: 'outer' });
  });
});

describe('What is wrong with a call', () => {
  const wrongKeys = [undefined, null, '', '  ', 7, [], ['']];

  it('should reject, not throw, and ask nothing of the engine', async () => {
    const { locks, engine } = fakeLocks();
    const task = (): number => 1;
    for (const key of wrongKeys as string[]) {
      const calls = [
        () => locks.withLock(key, task),
        () => locks.withSemaphore(key, 1, task),
        () => locks.acquire(key),
        () => locks.tryAcquire(key),
        () => locks.acquireSemaphore(key, 1),
        () => locks.inspect(key),
        () => locks.forceRelease(key),
      ];
      for (const call of calls) expect(await failure(call())).toBeInstanceOf(LockKeyError);
    }
    expect(engine.requests).toHaveLength(0);
    expect(engine.calls).toHaveLength(0);
  });

  it('should say that a semaphore takes one key', async () => {
    const { locks } = fakeLocks();
    await expect(locks.withSemaphore(['a', 'b'] as never, 2, () => 1)).rejects.toThrow(/takes one key/);
  });

  it.each([
    ['withLock', { ttl: '60' }, /withLock: .*ttl.*'60'/],
    ['withLock', { wiat: 1 }, /withLock: .*wiat/],
    ['withLock', { onBusy: 'skip' }, /onBusy/],
    ['acquire', { onLost: 'ignore' }, /acquire: .*onLost/],
    ['tryAcquire', { wait: 5 }, /tryAcquire: .*wait/],
    ['tryAcquire', { ttl: -1 }, /tryAcquire: .*ttl/],
  ])('should name the wrong option of %s', async (method, options, message) => {
    const { locks, engine } = fakeLocks();
    const call = locks[method as 'acquire'].bind(locks) as (...args: unknown[]) => Promise<unknown>;
    const error = await failure(call('k', options, () => 1));
    expect(error).toBeInstanceOf(LockOptionsError);
    expect((error as Error).message).toMatch(message);
    expect(engine.requests).toHaveLength(0);
  });

  it('should refuse a limit that is none, and a missing task', async () => {
    const { locks } = fakeLocks();
    await expect(locks.withSemaphore('k', 0, () => 1)).rejects.toThrow(/withSemaphore: the limit/);
    await expect(locks.acquireSemaphore('k', 1.5)).rejects.toThrow(/acquireSemaphore: the limit/);
    await expect(locks.withLock('k', {} as never)).rejects.toThrow(/withLock: the last argument/);
    await expect(locks.inspect('k', { kind: 'rwlock' as never })).rejects.toThrow(/inspect: kind/);
  });
});

describe('Handles', () => {
  it('should give the lock back once, whatever the number of calls', async () => {
    const { locks, engine } = fakeLocks();
    const lease = await locks.acquire('k');
    expect(await Promise.all([lease.release(), lease.release()])).toEqual([true, true]);
    expect(engine.last.releases).toBe(1);
    expect(lease.held).toBe(false);
    expect(lease.remaining).toBe(0);
    expect(() => lease.assertHeld()).toThrow(/"k".*acquire/);
  });

  it('should leave a place in a section once, whatever the number of calls', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock('k', async (outer) => {
      const lease = await locks.acquire('k');
      expect(await Promise.all([lease.release(), lease.release(), lease.release()])).toEqual([true, true, true]);
      expect(engine.last.releases).toBe(0);
      expect(outer.held).toBe(true);
    });
  });

  it('should say false, or reject, as the release does', async () => {
    const { locks, engine } = fakeLocks();
    const lost = await locks.acquire('k');
    engine.last.lose();
    expect(await lost.release()).toBe(false);
    const unanswered = await locks.acquire('k');
    engine.last.onRelease = () => Promise.reject(new LockUnavailableError('no answer'));
    await expect(unanswered.release()).rejects.toThrow('no answer');
  });

  it('should give the lock back at the end of an "await using" block, and hide no error', async () => {
    const { locks, engine, logger } = fakeLocks();
    engine.onGrant = (holding) => {
      holding.onRelease = () => Promise.reject(new LockUnavailableError('no answer'));
    };
    const block = async (): Promise<void> => {
      const lease = await locks.acquire('k');
      try {
        throw new Error('of the block');
      } finally {
        await lease[Symbol.asyncDispose]();
      }
    };
    await expect(block()).rejects.toThrow('of the block');
    expect(engine.last.releases).toBe(1);
    expect(logger.warnings).toHaveLength(1);
  });

  it('should extend what is held', async () => {
    const { locks, engine } = fakeLocks();
    const lease = await locks.acquire('k');
    await lease.extend('1m');
    expect(engine.last.extended).toEqual([60_000]);
    await expect(lease.extend('1')).rejects.toThrow(LockOptionsError);
    await lease.release();
    await expect(lease.extend(1000)).rejects.toThrow(LockLostError);
    expect(engine.last.extended).toHaveLength(1);
  });

  it('should not be renewed for ever when the caller drops them', async () => {
    const { locks, engine } = fakeLocks();
    const kept: { lease?: Lease } = { lease: await locks.acquire('kept') };
    await locks.acquire('dropped');
    await collectGarbage();
    expect(engine.holdings.map(({ abandoned }) => abandoned)).toEqual([false, true]);
    expect(kept.lease?.held).toBe(true);
    await kept.lease?.release();
    delete kept.lease;
    await collectGarbage();
    expect(engine.holdings[0]?.abandoned).toBe(false);
  });

  it('should give the turn on when the caller drops one of a nested call', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock('k', async () => {
      await locks.acquire('k');
      const next = locks.withLock('k', () => 'in');
      await collectGarbage();
      await expect(next).resolves.toBe('in');
    });
    expect(engine.last).toMatchObject({ releases: 1, abandoned: false });
  });

  it('should leave the section alone when the caller drops one that was released', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock('k', async () => {
      await (async () => (await locks.acquire('k')).release())();
      await collectGarbage();
      expect(engine.last).toMatchObject({ releases: 0, abandoned: false });
    });
  });
});

describe('LockService.tryAcquire', () => {
  it('should give null for a busy lock, and only for that', async () => {
    const { locks, engine } = fakeLocks();
    const lease = await locks.tryAcquire('k');
    expect(lease?.held).toBe(true);
    expect(await locks.tryAcquire('k', { ttl: '5s' })).toBeNull();
    expect(engine.requests.map(({ wait }) => wait)).toEqual([0, 0]);
    engine.outage = new LockUnavailableError('down');
    await expect(locks.tryAcquire('k')).rejects.toBe(engine.outage);
  });
});

describe('Semaphores', () => {
  it('should run as many as the limit of the caller says', async () => {
    const { locks, engine } = fakeLocks();
    let running = 0;
    let most = 0;
    const work = (): Promise<void> =>
      locks.withSemaphore('s', 3, { wait: '1s' }, async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
      });
    await Promise.all(Array.from({ length: 10 }, work));
    expect(most).toBe(3);
    expect(engine.requests[0]).toMatchObject({ kind: 'semaphore', limit: 3, weight: 1, wait: 1000 });
    const permit = await locks.acquireSemaphore('s', 1);
    expect(await permit.release()).toBe(true);
  });
});

describe('Life cycle and inspection', () => {
  it('should pass the hooks of the application on to the engine', async () => {
    const { locks, engine } = fakeLocks();
    locks.onApplicationBootstrap();
    locks.beforeApplicationShutdown();
    await locks.onApplicationShutdown();
    expect(engine.calls).toEqual(['open', 'refuseWaits', 'close']);
  });

  it('should ask the engine by kind and name', async () => {
    const { locks, engine } = fakeLocks();
    await locks.inspect('k');
    expect(await locks.forceRelease('s', { kind: 'semaphore' })).toBe(false);
    expect(engine.calls).toEqual(['inspect lock k', 'forceRelease semaphore s']);
  });
});
