import { describe, expect, it } from '@jest/globals';
import { encodeKeyPart } from '../../../lib/keys/encode-key-part.js';
import { errorOf } from '../../helpers/error-of.js';

class Id {
  constructor(private readonly text: unknown) {}
  toString(): string {
    return this.text as string;
  }
}

class Entity {
  constructor(readonly id: string) {}
}

describe('encodeKeyPart', () => {
  it.each<[string, unknown, string]>([
    ['text', 'a-1_B.c', 'a-1_B.c'],
    ['zero (BC-25)', 0, '0'],
    ['minus zero', -0, '0'],
    ['a fraction', -1.5, '-1.5'],
    ['false (BC-25)', false, 'false'],
    ['a bigint (BC-25, BC-26)', 0n, '0'],
    ['a large bigint', 2n ** 70n, '1180591620717411303424'],
    ['a valid Date (BC-26)', new Date(0), '1970-01-01T00%3A00%3A00.000Z'],
    ['an id object (BC-26)', new Id('64ab'), '64ab'],
    ['an object with a toString of its own', { toString: () => 'x' }, 'x'],
    ['a URL', new URL('http://a/b'), 'http%3A//a/b'],
    ['a boxed string', Object('x'), 'x'],
  ])('accepts %s', (_, value, text) => {
    expect(encodeKeyPart(value)).toBe(text);
  });

  it.each<[string, string, string]>([
    ['a percent sign', 'a%b', 'a%25b'],
    ['a colon (BC-27)', 'a:b', 'a%3Ab'],
    ['angle brackets', '<0>', '%3C0%3E'],
    ['braces (BC-28)', '{42}', '%7B42%7D'],
    ['a tilde', 'a~b', 'a%7Eb'],
    ['white space (BC-27)', ' \t\r\n', '%20%09%0D%0A'],
    ['a no-break space', '\u00a0', '%C2%A0'],
    ['an ideographic space', '\u3000', '%E3%80%80'],
    ['a line separator', '\u2028', '%E2%80%A8'],
    ['a byte order mark', '\ufeff', '%EF%BB%BF'],
    ['NUL (BC-27)', '\0', '%00'],
    ['DEL', '\x7f', '%7F'],
    ['a C1 control character', '\x85', '%C2%85'],
  ])('encodes %s', (_, value, text) => {
    expect(encodeKeyPart(value)).toBe(text);
  });

  it.each(['é', 'e\u0301', '🔒', '*', '?', '[x]', '/a/b', '"', "'", '\\', '鍵', '\u200b'])(
    'leaves %j as it is (BC-27)',
    (text) => {
      expect(encodeKeyPart(text)).toBe(text);
    },
  );

  it.each<[string, unknown, string]>([
    ['undefined (BC-25)', undefined, 'undefined'],
    ['null (BC-25)', null, 'null'],
    ['an empty string (BC-25)', '', 'an empty string'],
    ['NaN (BC-25)', NaN, 'NaN'],
    ['a boxed NaN', Object(NaN), 'NaN'],
    ['Infinity', Infinity, 'Infinity'],
    ['minus Infinity', -Infinity, '-Infinity'],
    ['a plain object (BC-26)', { a: 1 }, 'an object without text of its own'],
    ['an object without prototype (BC-26)', Object.create(null), 'an object without text of its own'],
    ['an entity without toString (BC-26)', new Entity('1'), 'an object without text of its own'],
    ['a field called toString', { toString: 'x' }, 'an object without text of its own'],
    ['a Map', new Map(), 'an object without text of its own'],
    ['a Set', new Set([1]), 'an object without text of its own'],
    ['a toString that gives [object X]', new Id('[object X]'), 'an object without text of its own'],
    ['a toString that gives no string', new Id(7), 'an object without text of its own'],
    ['a toString that gives nothing', new Id(''), 'an object whose text is empty'],
    ['an array (BC-26)', ['1', '2'], 'an array'],
    ['an empty array', [], 'an array'],
    ['a Buffer (BC-26)', Buffer.from('x'), 'binary data'],
    ['a typed array', new Uint16Array(1), 'binary data'],
    ['a DataView', new DataView(new ArrayBuffer(1)), 'binary data'],
    ['a function (BC-26)', () => 'x', 'a function'],
    ['a class', Entity, 'a function'],
    ['a symbol (BC-26)', Symbol('x'), 'a symbol'],
    ['an invalid Date (BC-26)', new Date(NaN), 'an invalid Date'],
    ['a promise', Promise.resolve('x'), 'a promise'],
    ['a high surrogate alone', 'a\ud800', 'text with half of a surrogate pair'],
    ['a low surrogate alone', '\udc00a', 'text with half of a surrogate pair'],
  ])('refuses %s', (_, value, reason) => {
    expect(errorOf(() => encodeKeyPart(value))).toMatchObject({ reason, hint: expect.any(String) });
  });

  it('refuses an object whose toString throws, with what it threw', () => {
    const cause = new Error('lazy');
    const value = {
      toString() {
        throw cause;
      },
    };
    expect(errorOf(() => encodeKeyPart(value))).toMatchObject({ reason: 'an object whose toString throws', cause });
  });

  it('does not put the refused value into the message', () => {
    expect(errorOf(() => encodeKeyPart('secret\ud800')).message).not.toContain('secret');
  });

  it('gives different texts for all characters, so that parts between colons never meet (BC-27)', () => {
    const characters = Array.from({ length: 0x3100 }, (_, code) => String.fromCharCode(code));
    const texts = characters.map((character) => encodeKeyPart(character));
    expect(new Set(texts).size).toBe(characters.length);
    expect(texts.filter((text) => /[:<>{}~\s]/.test(text))).toEqual([]);
    expect(texts.map(decodeURIComponent)).toEqual(characters);
  });
});
