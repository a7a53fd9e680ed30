import { types } from 'node:util';
import { isWellFormed } from './is-well-formed.js';
import { RefusedKeyPart, SHARED_BY_ALL } from './refused-key-part.js';

/**
 * What a value may not bring into a key as it is: characters that mean something in keys and templates, white space and
 * control characters. `~` is among them so that no value can imitate the end of a shortened name. `\p{Cs}` finds only
 * halves of surrogate pairs, which are refused.
 */
const SPECIAL = /[%:<>{}~\s\p{Cc}\p{Cs}]/u;
const ALL_SPECIAL = new RegExp(SPECIAL, 'gu');
/** What no encoded value contains. */
const SEPARATOR = /[:<>{}~\s\p{Cc}]/u;
const USE_A_FIELD = 'use one of its fields, or a key function';

/**
 * Text of one value inside a key. Lists of different texts never give the same key, as long as what stands between two of
 * them {@link separatesValues}; `1` and `'1'` are the same text.
 *
 * @throws RefusedKeyPart
 */
export function encodeKeyPart(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return encodeText(value);
    case 'number':
      if (Number.isFinite(value)) return String(value);
      throw new RefusedKeyPart(String(value), 'a number in a key must be finite');
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) break;
      if (types.isBoxedPrimitive(value)) return encodeKeyPart(value.valueOf());
      return encodeText(textOf(value));
    case 'function':
    case 'symbol':
      throw new RefusedKeyPart(`a ${typeof value}`, 'it has no text for a key');
    case 'undefined':
      break;
  }
  throw new RefusedKeyPart(String(value), SHARED_BY_ALL);
}

/** Whether it can be told where the value in front of a literal ends: with `-`, `a-b` and `c` would meet `a` and `b-c`. */
export function separatesValues(literal: string): boolean {
  return SEPARATOR.test(literal);
}

function encodeText(text: string): string {
  if (text === '') throw new RefusedKeyPart('an empty string', SHARED_BY_ALL);
  if (!SPECIAL.test(text)) return text;
  if (!isWellFormed(text)) {
    throw new RefusedKeyPart('text with half of a surrogate pair', 'Redis could not store it unchanged');
  }
  return text.replace(ALL_SPECIAL, percentEncode);
}

function percentEncode(character: string): string {
  // The one special character that encodeURIComponent leaves alone.
  return character === '~' ? '%7E' : encodeURIComponent(character);
}

/** Text of an object that stands for an id: a date, or a class with a `toString` of its own. */
function textOf(value: object): string {
  if (types.isDate(value)) {
    if (!Number.isNaN(value.getTime())) return value.toISOString();
    throw new RefusedKeyPart('an invalid Date', 'a Date in a key must be valid');
  }
  if (Array.isArray(value)) {
    throw new RefusedKeyPart('an array', 'use single elements of it, or a key function');
  }
  if (ArrayBuffer.isView(value)) {
    throw new RefusedKeyPart('binary data', 'turn it into text first');
  }
  if (types.isPromise(value)) {
    throw new RefusedKeyPart('a promise', 'await it before the call');
  }
  return ownText(value);
}

function ownText(value: object): string {
  let text: unknown;
  try {
    const { toString } = value as { toString?: unknown };
    text = typeof toString === 'function' ? toString.call(value) : undefined;
  } catch (cause) {
    throw new RefusedKeyPart('an object whose toString throws', USE_A_FIELD, { cause });
  }
  // Also what Object.prototype.toString of any realm says.
  if (typeof text !== 'string' || /^\[object .*\]$/s.test(text)) {
    throw new RefusedKeyPart('an object without text of its own', USE_A_FIELD);
  }
  if (text === '') {
    throw new RefusedKeyPart('an object whose text is empty', SHARED_BY_ALL);
  }
  return text;
}
