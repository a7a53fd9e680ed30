import { describe, expect, it } from '@jest/globals';
import { LockKeyError } from '../../../lib/errors/index.js';
import { parseKeyTemplate } from '../../../lib/keys/key-template.js';
import { lockKey } from '../../../lib/keys/lock-key.js';
import { errorOf } from '../../helpers/error-of.js';

describe('lockKey', () => {
  it.each([
    ['a:b', 'c'],
    ['a', 'b:c'],
    ['{x}', ' y'],
    ['%', '~'],
    [7, 8n],
    [new Date(0), false],
  ])('builds the same name as a template: %p, %p (BC-27)', (first, second) => {
    const template = parseKeyTemplate('order:<0>:/<1>', 'test');
    expect(lockKey`order:${first}:/${second}`).toBe(template.render([first, second], undefined));
  });

  it('leaves its own text as it is', () => {
    expect(lockKey`{order} <0> 100% ~:\n`).toBe('{order} <0> 100% ~:\n');
  });

  it.each([undefined, null, '', NaN, {}, [], () => 1])('refuses %p and says which value it is (BC-25)', (value) => {
    const error = errorOf(() => lockKey`order:${1}:${value}`);
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error.message).toMatch(/^lockKey: value 1, after ':', is /);
  });

  it('keeps what a toString threw as cause', () => {
    const cause = new Error('lazy');
    const value = {
      toString() {
        throw cause;
      },
    };
    expect(errorOf(() => lockKey`order:${value}`).cause).toBe(cause);
  });

  it.each([lockKeyOf(''), lockKeyOf(' \t')])('refuses a name without text', (call) => {
    expect(call).toThrow(LockKeyError);
  });

  it.each([
    ['nothing', () => lockKey`${1}${2}`],
    ['a dash', () => lockKey`day:${2026}-${11}`],
  ])('refuses two values with %s between them, which could meet others (BC-27)', (_, make) => {
    expect(make).toThrow('lockKey: put a colon between value 0 and value 1');
  });

  it('refuses a call with parentheses', () => {
    const call = lockKey as unknown as (text: string) => string;
    expect(() => call('order:1')).toThrow('without parentheses');
  });

  it('refuses an escape sequence that JavaScript does not know', () => {
    const literals = Object.assign([undefined], { raw: ['\\u'] }) as unknown as TemplateStringsArray;
    expect(() => lockKey(literals)).toThrow('invalid escape sequence');
  });
});

function lockKeyOf(text: string): () => string {
  return () => lockKey(Object.assign([text], { raw: [text] }));
}
