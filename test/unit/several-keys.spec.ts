import { describe, expect, it } from '@jest/globals';
import { currentLease } from '../../lib/context/current-lease.js';
import { LockBusyError, LockKeyError, LockLostError, LockUnavailableError } from '../../lib/errors/index.js';
import type { FakeHolding } from '../helpers/fake-engine.js';
import { deferred, fakeLocks, settle } from '../helpers/fake-service.js';

const namesOf = (list: { name: string }[]): string[] => list.map(({ name }) => name);

/** How often each grant was given back: `[releases, declined]`. */
const endsOf = (list: FakeHolding[]): [number, boolean][] => list.map(({ releases, declined }) => [releases, declined]);

describe('A call on several keys [BC-50]', () => {
  it('should take each once, in the order of their bytes, and give all back', async () => {
    const { locks, engine } = fakeLocks();
    // U+FF5E comes after U+1F512 in UTF-16 and before it in UTF-8.
    const keys = await locks.withLock(['b', '\u{1f512}', 'a', '\uff5e', 'b'], (lease) => lease.keys);
    expect(keys).toEqual(['b', '\u{1f512}', 'a', '\uff5e']);
    expect(namesOf(engine.requests)).toEqual(['a', 'b', '\uff5e', '\u{1f512}']);
    expect(endsOf(engine.holdings)).toEqual(Array(4).fill([1, false]));
  });

  it('should show them as one lease', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock(['b', 'a'], async (lease) => {
      const [a, b] = engine.holdings as [FakeHolding, FakeHolding];
      expect(lease).toMatchObject({ key: 'b', token: b.token, fence: 2, held: true, remaining: 10_000 });
      expect(currentLease()).toBe(lease);
      await lease.extend(20_000);
      expect([a.extended, b.extended]).toEqual([[20_000], [20_000]]);
    });
  });

  it('should be one lock where all names are the same', async () => {
    const { locks, engine } = fakeLocks();
    expect(await locks.withLock(['k', 'k'], (lease) => lease.keys)).toEqual(['k']);
    expect(engine.requests).toHaveLength(1);
  });

  it.each([
    ['no key at all', []],
    ['an empty key', ['a', '']],
    ['something else than text', ['a', 7]],
    ['a list inside the list', ['a', ['b']]],
  ])('should be refused with %s, and nothing asked for', async (_, keys) => {
    const { locks, engine } = fakeLocks();
    for (const call of [
      locks.withLock(keys as string[], () => 1),
      locks.acquire(keys as string[]),
      locks.tryAcquire(keys as string[]),
    ]) {
      await expect(call).rejects.toThrow(LockKeyError);
    }
    expect(engine.requests).toEqual([]);
  });

  it('should give back what it has when one is busy, without a minHold', async () => {
    const { locks, engine } = fakeLocks();
    await locks.acquire('b');
    const error = await locks.withLock(['c', 'b', 'a'], { wait: 0, minHold: '1m' }, () => 1).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(LockBusyError);
    expect(error).toMatchObject({ key: 'b' });
    expect(namesOf(engine.requests)).toEqual(['b', 'a', 'b']);
    expect(endsOf(engine.holdings)).toEqual([
      [0, false],
      [1, true],
    ]);
  });

  it('should give back what it has when Redis fails, and pass the failure on although giving back fails, too', async () => {
    const { locks, engine, logger } = fakeLocks();
    engine.onGrant = (holding) => {
      engine.outage = new LockUnavailableError('gone', 'b');
      holding.onRelease = () => Promise.reject(new Error('not answered'));
    };
    await expect(locks.withLock(['a', 'b'], () => 1)).rejects.toBe(engine.outage);
    expect(endsOf(engine.holdings)).toEqual([[1, true]]);
    expect(logger.warnings).toEqual([expect.stringContaining('"a"')]);
  });

  it('should wait for all of them within one wait', async () => {
    const { locks, engine } = fakeLocks();
    const a = await locks.acquire('a');
    const b = await locks.acquire('b');
    const both = locks.withLock(['a', 'b'], { wait: 5_000 }, () => 'in');
    await settle();
    const started = performance.now();
    while (performance.now() - started < 30) await settle();
    await a.release();
    await settle();
    expect(engine.requests.at(-1)?.name).toBe('b');
    expect(engine.requests.at(-1)?.wait).toBeLessThanOrEqual(4_975);
    await b.release();
    expect(await both).toBe('in');
  });

  it('should take all once more when the first lease was lost while it waited for the second', async () => {
    const { locks, engine } = fakeLocks();
    const b = await locks.acquire('b');
    const both = locks.withLock(['a', 'b'], () => 'in');
    await settle();
    const a = engine.last;
    a.lose(true);
    await b.release();
    expect(await both).toBe('in');
    expect(namesOf(engine.requests)).toEqual(['b', 'a', 'b', 'a', 'b']);
    expect(endsOf(engine.holdings)).toEqual([false, true, true, false, false].map((declined) => [1, declined]));
  });

  it('should be lost as soon as one is, told once, and keep its result', async () => {
    const { locks, engine } = fakeLocks();
    let aborts = 0;
    const work = locks.withLock(['a', 'b'], (lease) => {
      lease.signal.addEventListener('abort', () => aborts++);
      for (const holding of engine.holdings) holding.lose();
      expect(lease.held).toBe(false);
      expect(lease.remaining).toBe(0);
      expect(() => lease.assertHeld()).toThrow(LockLostError);
      return 42;
    });
    await expect(work).rejects.toMatchObject({ code: 'LOCK_LOST', key: 'a', result: 42 });
    expect(aborts).toBe(1);
    expect(endsOf(engine.holdings)).toEqual([
      [1, false],
      [1, false],
    ]);
  });

  it('should tell that the second was lost by its own name', async () => {
    const { locks, engine } = fakeLocks();
    const work = locks.withLock(['a', 'b'], () => engine.last.lose());
    await expect(work).rejects.toMatchObject({ code: 'LOCK_LOST', key: 'b', message: expect.stringContaining('"b"') });
  });

  it('should release all although one release fails', async () => {
    const { locks, engine } = fakeLocks();
    engine.onGrant = (holding) => {
      if (holding.name === 'a') holding.onRelease = () => Promise.reject(new LockUnavailableError('silent', 'a'));
    };
    const lease = await locks.acquire(['a', 'b']);
    await expect(lease.release()).rejects.toThrow('silent');
    expect(endsOf(engine.holdings)).toEqual([
      [1, false],
      [1, false],
    ]);
  });

  it('should be taken by tryAcquire, or not at all', async () => {
    const { locks, engine } = fakeLocks();
    const held = await locks.acquire('b');
    expect(await locks.tryAcquire(['a', 'b'])).toBeNull();
    expect(engine.active).toBe(1);
    await held.release();
    expect(await locks.tryAcquire(['a', 'b'])).toMatchObject({ keys: ['a', 'b'] });
  });
});

describe('Nested calls and several keys', () => {
  it('should enter at once where the outer call holds them, and acquire the rest', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock(['a', 'b'], async () => {
      await locks.withLock('a', { wait: 0 }, () => locks.withLock(['b', 'a'], { wait: 0 }, () => undefined));
      await locks.withLock(['c', 'a'], { wait: 0 }, (lease) => expect(lease.keys).toEqual(['c', 'a']));
      expect(namesOf(engine.requests)).toEqual(['a', 'b', 'c']);
      expect(engine.active).toBe(2);
    });
    expect(engine.active).toBe(0);
  });

  it('should let siblings on different keys run side by side, and on the same key one after the other', async () => {
    const { locks } = fakeLocks();
    const log: string[] = [];
    const end = deferred();
    await locks.withLock(['a', 'b'], async () => {
      const first = locks.withLock('a', async () => {
        log.push('a');
        await end.promise;
      });
      const second = locks.withLock('b', () => log.push('b'));
      const third = locks.withLock(['b', 'a'], () => log.push('both'));
      await second;
      await settle();
      expect(log).toEqual(['a', 'b']);
      end.resolve();
      await Promise.all([first, third]);
    });
    expect(log).toEqual(['a', 'b', 'both']);
  });

  it('should give its turn back when the rest is busy', async () => {
    const { locks } = fakeLocks();
    await locks.acquire('z');
    await locks.withLock('a', async () => {
      await expect(locks.withLock(['a', 'z'], { wait: 0 }, () => 1)).rejects.toThrow(LockBusyError);
      expect(await locks.withLock('a', { wait: 0 }, () => 'in')).toBe('in');
    });
  });
});

describe('A wait of Infinity inside another lock [BC-50]', () => {
  it('should have an end, which its error explains', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock('a', () => locks.withLock('b', { wait: Infinity }, () => undefined));
    expect(engine.requests.map(({ name, wait }) => [name, wait])).toEqual([
      ['a', 5_000],
      ['b', 5_000],
    ]);
  });

  it('should have no part in a refusal that does not wait', async () => {
    const { locks } = fakeLocks();
    const nested = locks.withLock(['a', 'b'], () => locks.withLock('a', { wait: Infinity, reentrant: false }, () => 1));
    const error = await nested.catch((e: unknown) => e as LockBusyError);
    expect(error).toMatchObject({ code: 'LOCK_BUSY', message: expect.stringMatching(/with "reentrant: false"\.$/) });
  });

  it('should say in its error why it ended', async () => {
    const { locks } = fakeLocks();
    const end = deferred();
    await locks.withLock(['a', 'b'], async () => {
      // Siblings inside one holder, each with the lock that the other one asks for.
      const crossed = [
        locks.withLock('a', () => locks.withLock('b', { wait: Infinity }, () => end.promise)),
        locks.withLock('b', () => locks.withLock('a', { wait: Infinity }, () => end.promise)),
      ];
      const error = await Promise.race(crossed).catch((e: unknown) => e as LockBusyError);
      expect(error).toBeInstanceOf(LockBusyError);
      expect((error as LockBusyError).message).toMatch(/Infinity ended after 5000 ms, since another lock is held/);
      end.resolve();
      await Promise.allSettled(crossed);
    });
  });

  it('should be the wait of the module where that is longer and has an end', async () => {
    const { locks, engine } = fakeLocks({ wait: 60_000 });
    await locks.withLock('a', () => locks.withLock(['b', 'c'], { wait: Infinity }, () => undefined));
    expect(engine.requests.map(({ wait }) => wait)).toEqual([60_000, 60_000, 60_000]);
  });

  it('should stay without end for a key that the context holds, and where nothing else is held', async () => {
    const { locks, engine } = fakeLocks();
    await locks.withLock(['a', 'b'], { wait: Infinity }, () => undefined);
    await locks.withLock('c', { wait: Infinity }, () => locks.withLock('c', { wait: Infinity }, () => undefined));
    expect(engine.requests.map(({ wait }) => wait)).toEqual([Infinity, Infinity, Infinity]);
  });
});
