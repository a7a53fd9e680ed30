import { ErrorReply } from '../resp/reply.js';

export const SYNTAX_ERROR = 'ERR syntax error';
const NO_INTEGER = 'ERR value is not an integer or out of range';
const HIGHEST = 2n ** 63n - 1n;
const LOWEST = -(2n ** 63n);

/** @throws ErrorReply */
export function toBigInt(text: string | undefined, message = NO_INTEGER): bigint {
  if (text === undefined || !/^(0|-?[1-9]\d{0,18})$/.test(text)) throw new ErrorReply(message);
  const value = BigInt(text);
  if (value > HIGHEST || value < LOWEST) throw new ErrorReply(message);
  return value;
}

/** @throws ErrorReply */
export function toInteger(text: string | undefined, message = NO_INTEGER): number {
  return Number(toBigInt(text, message));
}

/** @throws ErrorReply */
export function toFloat(text: string, message = 'ERR value is not a valid float'): number {
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new ErrorReply(message);
  return Number(text);
}

/** @throws ErrorReply when the sum leaves 64 bits */
export function addIntegers(one: bigint, other: bigint): bigint {
  const sum = one + other;
  if (sum > HIGHEST || sum < LOWEST) throw new ErrorReply('ERR increment or decrement would overflow');
  return sum;
}

export function wrongNumber(name: string): ErrorReply {
  return new ErrorReply(`ERR wrong number of arguments for '${name.toLowerCase()}' command`);
}

/** The part of a list that `start` and `stop` name; both may count from the end. */
export function slice<T>(list: readonly T[], start: number, stop: number): readonly T[] {
  const from = start < 0 ? Math.max(0, list.length + start) : start;
  const to = stop < 0 ? list.length + stop : stop;
  return list.slice(from, Math.max(from, to + 1));
}
