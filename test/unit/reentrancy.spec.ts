import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { currentLease } from '../../lib/context/current-lease.js';
import { LockBusyError, LockLostError } from '../../lib/errors/index.js';
import { collectGarbage } from '../helpers/collect-garbage.js';
import { deferred, fakeLocks, settle } from '../helpers/fake-service.js';
import { waitUntil } from '../helpers/wait-until.js';

describe('A call on a key that its own context holds [BC-06]', () => {
  it('should enter at once, under the same holding', async () => {
    const { locks, engine } = fakeLocks();
    const fences = await locks.withLock('k', async (outer) =>
      locks.withLock('k', { wait: 0 }, (inner) => [outer.fence, inner.fence, outer.token === inner.token]),
    );
    expect(fences).toEqual([1, 1, true]);
    expect(engine.requests).toHaveLength(1);
  });

  it('should not give the lock back before the outer call has ended', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock('k', async (outer) => {
      await locks.withLock('k', async () => undefined);
      expect(engine.last.releases).toBe(0);
      expect(outer.held).toBe(true);
    });
    expect(engine.last.releases).toBe(1);
  });

  it('should enter at any depth, also through the frames of other keys', async () => {
    const { locks, engine } = fakeLocks();
    const depth = await locks.withLock('a', () =>
      locks.withLock('b', () => locks.withLock('a', () => locks.withLock('b', () => locks.withLock('a', () => 5)))),
    );
    expect(depth).toBe(5);
    expect(engine.requests.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(engine.active).toBe(0);
  });

  it('should tell locks, semaphores and the keys of another service apart', async () => {
    const { locks, engine } = fakeLocks();
    const other = fakeLocks();
    await locks.withLock('k', async () => {
      await locks.withSemaphore('k', 1, () => other.locks.withLock('k', () => undefined));
    });
    expect(engine.requests.map(({ kind }) => kind)).toEqual(['lock', 'semaphore']);
    expect(other.engine.requests).toHaveLength(1);
  });

  it('should take no second permit of a semaphore', async () => {
    const { locks, engine } = fakeLocks();
    const inner = await locks.withSemaphore('s', 1, () => locks.withSemaphore('s', 1, { wait: 0 }, () => 'in'));
    expect(inner).toBe('in');
    expect(engine.requests).toHaveLength(1);
  });

  it('should fail with "reentrant: false", naming both calls', async () => {
    const { locks } = fakeLocks();
    const audit = (): string => 'never';
    async function place(): Promise<void> {
      await locks.withLock('order:1', { reentrant: false, wait: 60_000 }, audit);
    }
    const error = await locks.withLock('order:1', place).catch((error: unknown) => error as LockBusyError);
    expect(error).toBeInstanceOf(LockBusyError);
    expect((error as LockBusyError).message).toMatch(/"order:1".*place.*audit/);
  });

  it('should fail when the lease was lost meanwhile, without running', async () => {
    const { locks, engine } = fakeLocks();
    let ran = false;
    const outer = locks.withLock('k', async () => {
      engine.last.lose(true);
      await locks.withLock('k', () => {
        ran = true;
      });
    });
    await expect(outer).rejects.toThrow(LockLostError);
    expect(ran).toBe(false);
  });

  it('should reject with the reason of a signal that has aborted', async () => {
    const { locks } = fakeLocks();
    const reason = new Error('enough');
    const inner = locks.withLock('k', () => locks.withLock('k', { signal: AbortSignal.abort(reason) }, () => 1));
    await expect(inner).rejects.toBe(reason);
  });
});

describe('Calls started together inside one holder [BC-05]', () => {
  it('should run one after the other, in the order in which they came', async () => {
    const { locks, engine } = fakeLocks();
    const log: string[] = [];
    const sibling = (name: string) =>
      locks.withLock('k', async () => {
        log.push(`${name} in`);
        await settle();
        log.push(`${name} out`);
      });
    await locks.withLock('k', () => Promise.all(['a', 'b', 'c'].map(sibling)));
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
    expect(engine.requests).toHaveLength(1);
  });

  it('should let the children of one of them in at once', async () => {
    const { locks } = fakeLocks();
    const log: string[] = [];
    const sibling = (name: string) =>
      locks.withLock('k', async () => {
        await locks.withLock('k', { wait: 0 }, settle);
        log.push(name);
      });
    await locks.withLock('k', () => Promise.all([sibling('a'), sibling('b')]));
    expect(log).toEqual(['a', 'b']);
  });

  it('should find the lock busy when the turn does not come within "wait"', async () => {
    const { locks, engine } = fakeLocks();
    const end = deferred();
    await locks.withLock('k', async () => {
      const first = locks.withLock('k', () => end.promise);
      await expect(locks.withLock('k', { wait: 20 }, () => 1)).rejects.toThrow(LockBusyError);
      await expect(locks.withLock('k', { wait: 0 }, () => 1)).rejects.toThrow(LockBusyError);
      end.resolve();
      await first;
      await expect(locks.withLock('k', { wait: 0 }, () => 'free again')).resolves.toBe('free again');
    });
    expect(engine.requests).toHaveLength(1);
  });

  it('should end the wait for the turn when the signal aborts, and leave the line', async () => {
    const { locks } = fakeLocks();
    const end = deferred();
    const controller = new AbortController();
    const reason = new Error('enough');
    await locks.withLock('k', async () => {
      const first = locks.withLock('k', () => end.promise);
      const second = locks.withLock('k', { signal: controller.signal }, () => 2);
      const third = locks.withLock('k', () => 3);
      controller.abort(reason);
      await expect(second).rejects.toBe(reason);
      end.resolve();
      await first;
      await expect(third).resolves.toBe(3);
    });
  });

  it('should put one listener on a signal that they share', async () => {
    const { locks } = fakeLocks();
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, 'abort').length;
    await locks.withLock('k', async () => {
      const end = deferred();
      const first = locks.withLock('k', () => end.promise);
      const others = Array.from({ length: 20 }, () => locks.withLock('k', { signal }, () => 1));
      await settle();
      expect(listeners()).toBe(1);
      end.resolve();
      await Promise.all([first, ...others]);
    });
    expect(listeners()).toBe(0);
  });

  it('should run one after the other when they hold handles', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock('k', async () => {
      const first = await locks.acquire('k');
      expect(await locks.tryAcquire('k')).toBeNull();
      const second = locks.acquire('k');
      expect(await first.release()).toBe(true);
      expect(first.held).toBe(false);
      expect((await second).held).toBe(true);
      expect(await (await second).release()).toBe(true);
      expect(engine.last.releases).toBe(0);
    });
    expect(engine.requests).toHaveLength(1);
    expect(engine.last.releases).toBe(1);
  });
});

describe('A call that outlives the one that started it [BC-05]', () => {
  it('should acquire for itself when that one has ended', async () => {
    const { locks, engine } = fakeLocks();
    const outerEnded = deferred();
    let detached: Promise<number> | undefined;
    await locks.withLock('k', () => {
      detached = outerEnded.promise.then(() => locks.withLock('k', (lease) => lease.fence));
    });
    const foreign = await locks.acquire('k');
    outerEnded.resolve();
    await settle();
    expect(engine.requests).toHaveLength(3);
    expect(engine.active).toBe(1);
    await foreign.release();
    expect(await detached).toBe(3);
  });

  it('should acquire for itself when its turn comes after the end', async () => {
    const { locks, engine } = fakeLocks();
    const end = deferred();
    let first: Promise<void> | undefined;
    let second: Promise<number> | undefined;
    await locks.withLock('k', async () => {
      first = locks.withLock('k', () => end.promise);
      second = locks.withLock('k', { wait: 5000 }, (lease) => lease.fence);
      await settle();
    });
    expect(engine.requests).toHaveLength(1);
    await settle();
    end.resolve();
    await first;
    expect(await second).toBe(2);
    expect(engine.requests[1]?.wait).toBeLessThan(5000);
  });

  it('should keep the lock until it has ended, without holding up the result of the outer call', async () => {
    const { locks, engine } = fakeLocks();
    const end = deferred();
    let nested: Promise<void> | undefined;
    const result = await locks.withLock('k', async () => {
      nested = locks.withLock('k', () => end.promise);
      await settle();
      return 'outer';
    });
    expect(result).toBe('outer');
    expect(engine.last.releases).toBe(0);
    end.resolve();
    await nested;
    expect(engine.last.releases).toBe(1);
  });

  it('should log a release that fails when it is the last one out', async () => {
    const { locks, engine, logger } = fakeLocks();
    const end = deferred();
    let nested: Promise<void> | undefined;
    await locks.withLock('k', async () => {
      engine.last.onRelease = () => Promise.reject(new Error('connection reset'));
      nested = locks.withLock('k', () => end.promise);
      await settle();
    });
    end.resolve();
    await nested;
    expect(logger.warnings).toEqual([expect.stringMatching(/"k".*connection reset/)]);
  });

  it('should still be inside of an outer call that runs when those between have ended', async () => {
    const { locks, engine } = fakeLocks();
    const innerEnded = deferred();
    await locks.withLock('k', async () => {
      let detached: Promise<string> | undefined;
      await locks.withLock('k', () =>
        locks.withLock('k', () => {
          detached = innerEnded.promise.then(() => locks.withLock('k', { wait: 0 }, () => 'in'));
        }),
      );
      innerEnded.resolve();
      await expect(detached).resolves.toBe('in');
    });
    expect(engine.requests).toHaveLength(1);
  });
});

describe('Contexts that have nothing to do with each other', () => {
  it('should exclude each other', async () => {
    const { locks, engine } = fakeLocks();
    let running = 0;
    const request = () =>
      locks.withLock('k', async () => {
        running += 1;
        expect(running).toBe(1);
        await settle();
        running -= 1;
      });
    await Promise.all([request(), request(), request()]);
    expect(engine.requests).toHaveLength(3);
  });

  it('should not let code after the section pass for code inside', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock('k', () => undefined);
    await locks.withLock('k', () => undefined);
    expect(engine.requests).toHaveLength(2);
    expect(currentLease()).toBeUndefined();
  });
});

describe('currentLease', () => {
  it('should give the innermost lease of the context', async () => {
    const { locks } = fakeLocks();
    expect(currentLease()).toBeUndefined();
    await locks.withLock('a', async (a) => {
      expect(currentLease()).toBe(a);
      await locks.withLock('b', async (b) => {
        await settle();
        expect(currentLease()).toBe(b);
      });
      expect(currentLease()).toBe(a);
    });
  });

  it('should give what is left when the innermost call has ended', async () => {
    const { locks } = fakeLocks();
    const innerEnded = deferred();
    let keys: (string | undefined)[] = [];
    await locks.withLock('a', async () => {
      let detached: Promise<string | undefined> | undefined;
      await locks.withLock('b', () => {
        detached = innerEnded.promise.then(() => currentLease()?.key);
      });
      innerEnded.resolve();
      keys = [await detached];
    });
    expect(keys).toEqual(['a']);
  });

  it('should not give the lease of a call that has released early', async () => {
    const { locks } = fakeLocks();
    await locks.withLock('a', async (lease) => {
      await lease.release();
      expect(currentLease()).toBeUndefined();
    });
  });
});

describe('A chain of calls each of which starts the next and ends', () => {
  it('should not keep the ended ones', async () => {
    const { locks, engine } = fakeLocks();
    const ended: WeakRef<object>[] = [];
    const last = deferred();
    const link = (left: number): Promise<void> =>
      locks.withLock(`k${left}`, async (lease) => {
        if (left === 0) return last.promise;
        ended.push(new WeakRef(lease));
        void settle().then(() => link(left - 1));
        await settle();
        await settle();
      });
    await link(20);
    await waitUntil(() => ended.length === 20, 'the last link');
    await settle();
    engine.holdings.length = 0;
    await collectGarbage();
    // The one that the running call stands in, and the one around that.
    expect(ended.filter((reference) => reference.deref() !== undefined).length).toBeLessThanOrEqual(2);
    last.resolve();
  });
});
