import { describe, expect, it } from '@jest/globals';
import { LockKeyError } from '../../../lib/errors/index.js';
import { compileKey } from '../../../lib/keys/compile-key.js';
import { lockKey } from '../../../lib/keys/lock-key.js';
import { errorOf } from '../../helpers/error-of.js';

const WHERE = '@WithLock on OrderService.pay';

describe('compileKey', () => {
  it('fills in a template', () => {
    expect(compileKey('o:<0>:<this.tenant>', WHERE)([7], { tenant: 't' })).toBe('o:7:t');
  });

  it('calls a key function with the arguments and takes its result as it is', () => {
    const key = compileKey((id: number, line: number) => `o:${id}{${line}}`, WHERE);
    expect(key([7, 8], undefined)).toBe('o:7{8}');
  });

  it('refuses a malformed template at once (BC-25)', () => {
    expect(() => compileKey('o:<id>', WHERE)).toThrow(LockKeyError);
  });

  it.each([undefined, null, 7, true, {}, Symbol('x')])('refuses %p as key', (key) => {
    const error = errorOf(() => compileKey(key, WHERE));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error.message).toMatch(`${WHERE}: the key is of type `);
  });

  it('refuses several keys by name', () => {
    expect(() => compileKey(['a', 'b'], WHERE)).toThrow('several keys at once are not part of this version');
  });

  it.each(['', ' \n', 'a\ud800', undefined, null, 7, ['a'], {}])(
    'refuses %p as result of a key function (BC-25)',
    (name) => {
      const error = errorOf(() => compileKey(() => name, WHERE)([], undefined));
      expect(error).toBeInstanceOf(LockKeyError);
      expect(error.message).toMatch(`${WHERE}, result of the key function: the key `);
    },
  );

  it('refuses a promise as result by name, and its rejection harms nobody', async () => {
    const key = compileKey(async () => Promise.reject(new Error('late')), WHERE);
    expect(() => key([], undefined)).toThrow('the key function returned a promise');
    await new Promise(setImmediate);
  });

  it('names the method when a key function throws, and keeps the cause (BC-26)', () => {
    const cause = new TypeError('no id');
    const key = compileKey(() => {
      throw cause;
    }, WHERE);
    const error = errorOf(() => key([], undefined));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error).toMatchObject({ message: `${WHERE}: the key function failed: no id`, cause });
  });

  it('gives the refusals of lockKey inside a key function the name of the method (BC-25)', () => {
    const key = compileKey((id?: string) => lockKey`o:${id}`, WHERE);
    expect(key(['1'], undefined)).toBe('o:1');
    expect(() => key([], undefined)).toThrow(
      `${WHERE}: the key function failed: lockKey: value 0, after 'o:', is undefined`,
    );
  });
});
