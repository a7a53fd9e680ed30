import ms from 'ms';
import { wrongValue } from './check-value.js';

/** Ten years: more is a mistake, not a duration. */
const LONGEST = 315_360_000_000;

export interface DurationRule {
  /** Name of the option, for the message. */
  readonly option: string;
  /** The method, call or module that it belongs to, for the message. */
  readonly where: string;
  /** Shortest duration that makes sense, in milliseconds. */
  readonly min?: number;
  /** Whether `Infinity` means "no limit". */
  readonly infinity?: boolean;
}

/**
 * Whole milliseconds, rounded up: Redis takes only integers.
 *
 * @throws LockOptionsError
 */
export function parseDuration(value: unknown, rule: DurationRule): number {
  const { option, where, min = 0, infinity = false } = rule;
  const refuse = (demand: string) => wrongValue(value, option, where, demand);
  if (isBareNumber(value)) {
    throw refuse("seconds or milliseconds? Write the unit, as in '10s', or a number of milliseconds");
  }
  const exact = typeof value === 'string' ? parseText(value) : value;
  if (exact === Infinity && infinity) return exact;
  if (typeof exact !== 'number' || !(exact >= min && exact < Infinity)) throw refuse(demand(min, infinity));
  if (exact > LONGEST) throw refuse(`it must be at most ten years${infinity ? ', or Infinity for no limit' : ''}`);
  return Math.ceil(exact) + 0; // Not -0.
}

function isBareNumber(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value));
}

function parseText(text: string): number {
  // The library throws for both.
  if (text === '' || text.length > 100) return NaN;
  const duration: unknown = ms(text as ms.StringValue);
  return typeof duration === 'number' ? duration : NaN;
}

function demand(min: number, infinity: boolean): string {
  const least = min > 0 ? ` of at least ${min} ms` : '';
  return `it must be a duration${least}, such as 10000 or '10s'${infinity ? ', or Infinity' : ''}`;
}
