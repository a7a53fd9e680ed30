import { ErrorReply } from '../resp/reply.js';
import { SYNTAX_ERROR, toFloat, toInteger } from './arguments.js';

interface Bound {
  readonly value: number;
  readonly open: boolean;
}

export interface ScoreRange {
  readonly min: Bound;
  readonly max: Bound;
}

/** @throws ErrorReply */
export function readRange(min: string, max: string): ScoreRange {
  return { min: readBound(min), max: readBound(max) };
}

export function inRange(score: number, { min, max }: ScoreRange): boolean {
  return (min.open ? score > min.value : score >= min.value) && (max.open ? score < max.value : score <= max.value);
}

/**
 * @param options after the range
 * @throws ErrorReply
 */
export function limitOf(options: readonly string[]): { offset: number; count: number; rest: readonly string[] } {
  const at = options.findIndex((option) => option.toUpperCase() === 'LIMIT');
  if (at < 0) return { offset: 0, count: -1, rest: options };
  if (options.length < at + 3) throw new ErrorReply(SYNTAX_ERROR);
  const rest = [...options.slice(0, at), ...options.slice(at + 3)];
  return { offset: toInteger(options[at + 1]), count: toInteger(options[at + 2]), rest };
}

/** @throws ErrorReply for any other option */
export function withScores(options: readonly string[]): boolean {
  if (options.some((option) => option.toUpperCase() !== 'WITHSCORES')) throw new ErrorReply(SYNTAX_ERROR);
  return options.length > 0;
}

function readBound(text: string): Bound {
  const open = text.startsWith('(');
  return { value: toFloat(open ? text.slice(1) : text, 'ERR min or max is not a float'), open };
}
