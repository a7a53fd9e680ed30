import { describe, expect, it } from '@jest/globals';
import { LockKeyError } from '../../../lib/errors/index.js';
import { compileKey } from '../../../lib/keys/compile-key.js';
import { lockKey } from '../../../lib/keys/lock-key.js';
import { errorOf } from '../../helpers/error-of.js';

const WHERE = '@WithLock on OrderService.pay';
const METHOD = { where: WHERE, several: true, self: true };

describe('compileKey', () => {
  it('fills in a template', () => {
    expect(compileKey('o:<0>:<this.tenant>', METHOD)([7], { tenant: 't' })).toEqual(['o:7:t']);
  });

  it('calls a key function with the arguments and takes its result as it is', () => {
    const key = compileKey((id: number, line: number) => `o:${id}{${line}}`, METHOD);
    expect(key([7, 8], undefined)).toEqual(['o:7{8}']);
  });

  it('refuses a malformed template at once (BC-25)', () => {
    expect(() => compileKey('o:<id>', METHOD)).toThrow(LockKeyError);
  });

  it.each([undefined, null, 7, true, {}, Symbol('x')])('refuses %p as key', (key) => {
    const error = errorOf(() => compileKey(key, METHOD));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error.message).toMatch(`${WHERE}: the key is of type `);
  });

  it('takes several templates, and a function that gives several names', () => {
    expect(compileKey(['a:<0>', 'b:<1>'], METHOD)([1, 2], undefined)).toEqual(['a:1', 'b:2']);
    expect(compileKey((...ids: number[]) => ids.map(String), METHOD)([1, 2], undefined)).toEqual(['1', '2']);
  });

  it.each([
    [[], 'the list of keys is empty'],
    [['a', ''], 'key 1: the key is empty'],
    [['a', ['b']], 'key 1: the key is an array'],
    [['a', () => 'b'], 'key 1: the key is a value of type function'],
    [['a', 'b:<x>'], '<x> is no placeholder'],
  ])('refuses the list %p (BC-50)', (keys, message) => {
    expect(() => compileKey(keys, METHOD)).toThrow(message);
    if (!JSON.stringify(keys).includes('<x>')) {
      expect(() => compileKey(() => keys, METHOD)([], undefined)).toThrow(`result of the key function`);
    }
  });

  it('refuses several keys where there can be one', () => {
    const semaphore = { ...METHOD, several: false };
    expect(() => compileKey(['a', 'b'], semaphore)).toThrow('the key is an array; this takes one key');
    expect(() => compileKey(() => ['a'], semaphore)([], undefined)).toThrow('the key is an array; this takes one key');
  });

  it('refuses a field of this where there is no object', () => {
    expect(() => compileKey('o:<0>:<this.tenant>', { ...METHOD, self: false })).toThrow('reads a field of <this>');
  });

  it.each(['', ' \n', 'a\ud800', undefined, null, 7, {}])('refuses %p as result of a key function (BC-25)', (name) => {
    const error = errorOf(() => compileKey(() => name, METHOD)([], undefined));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error.message).toMatch(`${WHERE}, result of the key function: the key `);
  });

  it('refuses a promise as result by name, and its rejection harms nobody', async () => {
    const key = compileKey(async () => Promise.reject(new Error('late')), METHOD);
    expect(() => key([], undefined)).toThrow('the key function returned a promise');
    await new Promise(setImmediate);
  });

  it('names the method when a key function throws, and keeps the cause (BC-26)', () => {
    const cause = new TypeError('no id');
    const key = compileKey(() => {
      throw cause;
    }, METHOD);
    const error = errorOf(() => key([], undefined));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error).toMatchObject({ message: `${WHERE}: the key function failed: no id`, cause });
  });

  it('gives the refusals of lockKey inside a key function the name of the method (BC-25)', () => {
    const key = compileKey((id?: string) => lockKey`o:${id}`, METHOD);
    expect(key(['1'], undefined)).toEqual(['o:1']);
    expect(() => key([], undefined)).toThrow(
      `${WHERE}: the key function failed: lockKey: value 0, after 'o:', is undefined`,
    );
  });
});
