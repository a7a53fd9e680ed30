import { describe, expect, it } from '@jest/globals';
import { LockOptionsError } from '../../../lib/errors/index.js';
import { checkKind } from '../../../lib/options/check-kind.js';
import { checkLimit } from '../../../lib/options/check-limit.js';
import { checkTtl } from '../../../lib/options/check-ttl.js';
import { errorOf } from '../../helpers/error-of.js';

describe('checkLimit', () => {
  it.each([1, 5, 2 ** 31 - 1])('takes %d', (limit) => {
    expect(checkLimit(limit, '@Semaphore on Gateway.charge')).toBe(limit);
  });

  it.each([0, -1, 1.5, NaN, Infinity, 2 ** 31, '3', 3n, null, undefined, {}, true])('refuses %p (BC-43)', (limit) => {
    const error = errorOf(() => checkLimit(limit, '@Semaphore on Gateway.charge'));
    expect(error).toBeInstanceOf(LockOptionsError);
    expect(error.message).toMatch(
      /^@Semaphore on Gateway\.charge: the limit is .*; it must be a whole number from 1 to /,
    );
  });
});

describe('checkTtl', () => {
  it('takes a lease of 100 ms and more', () => {
    expect([checkTtl(100, 'lease.extend'), checkTtl('1s', 'lease.extend')]).toEqual([100, 1000]);
  });

  it.each([99, 0, -1, Infinity, '5', undefined])('refuses %p (BC-35)', (ttl) => {
    expect(() => checkTtl(ttl, 'lease.extend')).toThrow(/^lease\.extend: ttl is /);
  });
});

describe('checkKind', () => {
  it.each<[unknown, string]>([
    [undefined, 'lock'],
    [{}, 'lock'],
    [{ kind: 'lock' }, 'lock'],
    [{ kind: 'semaphore' }, 'semaphore'],
  ])('%j means %s', (options, kind) => {
    expect(checkKind(options, 'inspect')).toBe(kind);
  });

  it.each([{ kind: 'rwlock' }, { kind: null }, { kinds: 'lock' }, null, 'semaphore'])('refuses %j', (options) => {
    const error = errorOf(() => checkKind(options, 'inspect'));
    expect(error).toBeInstanceOf(LockOptionsError);
    expect(error.message).toMatch(/^inspect: /);
  });
});
