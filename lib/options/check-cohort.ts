import type { TurnLimits } from '../engine/cohort/turn.js';
import { wrongValue } from './check-value.js';
import { DEFAULT_PASSES, DEFAULT_TURN } from './defaults.js';
import { parseDuration } from './parse-duration.js';
import { unknownOption } from './unknown-option.js';

const PARTS: ReadonlySet<string> = new Set(['passes', 'time']);

/** @throws LockOptionsError */
export function checkCohort(value: unknown, where: string): TurnLimits {
  if (value === undefined) return { passes: DEFAULT_PASSES, time: DEFAULT_TURN };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongValue(value, 'cohort', where, "it must be an object, such as { passes: 128, time: '50ms' }");
  }
  const strange = Object.keys(value).find((part) => !PARTS.has(part));
  if (strange !== undefined) throw unknownOption(strange, `${where}: cohort`, PARTS);
  const { passes = DEFAULT_PASSES, time = DEFAULT_TURN } = value as { passes?: unknown; time?: unknown };
  if (!Number.isSafeInteger(passes) || (passes as number) < 0) {
    throw wrongValue(passes, 'cohort.passes', where, 'it must be a whole number, 0 or more');
  }
  return { passes: passes as number, time: parseDuration(time, { option: 'cohort.time', where }) };
}
