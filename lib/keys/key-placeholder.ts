import { LockKeyError } from '../errors/lock-key.error.js';

/** One `<...>` of a key template. */
export interface KeyPlaceholder {
  /** As written, with its brackets. */
  readonly text: string;
  /** Index of the argument, or the object that the method belongs to. */
  readonly source: number | 'this';
  /** Fields (text) and elements (number) to follow from there. */
  readonly path: readonly (string | number)[];
}

const INDEX = String.raw`0|[1-9]\d*`;
const NAME = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$-]*`;
const BODY = new RegExp(String.raw`^(this|${INDEX})((?:\.${NAME}|\[(?:${INDEX})\])*)$`, 'u');
const STEP = /\.([^.[]+)|\[(\d+)\]/gu;
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);
const FORMS = 'the forms are <0>, <0.path.to[0].field> and <this.field>';

/**
 * @param body what stands between the brackets
 * @param place template and position, for the message
 * @throws LockKeyError
 */
export function parseKeyPlaceholder(body: string, place: string): KeyPlaceholder {
  const [, source, steps] = BODY.exec(body) ?? [];
  if (source === undefined || steps === undefined) {
    throw malformed(body, place, cureFor(body));
  }
  const path = Array.from(steps.matchAll(STEP), ([, name, index]) => name ?? Number(index));
  const unsafe = path.find((step) => UNSAFE.has(String(step)));
  if (unsafe !== undefined) {
    throw malformed(body, place, `'${unsafe}' is no field of a value`);
  }
  if (source === 'this' && path.length === 0) {
    throw malformed(body, place, 'name a field, such as <this.tenantId>');
  }
  return { text: `<${body}>`, source: source === 'this' ? source : Number(source), path };
}

function malformed(body: string, place: string, cure: string): LockKeyError {
  return new LockKeyError(`${place}: <${body}> is no placeholder; ${cure}.`);
}

function cureFor(body: string): string {
  if (body === '') return 'write the index of an argument, such as <0>';
  if (/\s/u.test(body)) return 'it must not contain white space';
  if (/^-\d/.test(body)) return 'arguments are counted from 0';
  const name = new RegExp(`^${NAME}`, 'u').exec(body)?.[0];
  if (name === undefined || name === 'this') return FORMS;
  return `names of parameters are not known at run time, count them from 0: <0${body.slice(name.length)}>`;
}
