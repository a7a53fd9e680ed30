import { wrongValue, checkBoolean, checkOneOf, checkSignal, checkText, type CheckValue } from './check-value.js';
import { LockOptionsError } from '../errors/lock-options.error.js';
import { checkReplicas } from './check-replicas.js';
import { MIN_TTL } from './defaults.js';
import { type DurationRule, parseDuration } from './parse-duration.js';
import type { OwnSettings } from './settings.interface.js';
import { unknownOption } from './unknown-option.js';

const duration =
  (rule: Pick<DurationRule, 'min' | 'infinity'> = {}): CheckValue =>
  (value, option, where) =>
    parseDuration(value, { option, where, ...rule });

const SETTINGS: Readonly<Record<keyof OwnSettings, CheckValue>> = {
  ttl: duration({ min: MIN_TTL }),
  renew: checkBoolean,
  fair: checkBoolean,
  wait: duration({ infinity: true }),
  signal: checkSignal,
  maxHold: duration({ min: MIN_TTL, infinity: true }),
  minHold: duration(),
  reentrant: checkBoolean,
  headStart: duration(),
  replicas: checkReplicas,
  onBusy: checkOneOf('throw', 'skip'),
  onLost: checkOneOf('throw', 'ignore'),
  releaseMode: checkOneOf('await', 'background'),
};

/** Looked at here, but nothing that a call is done with. */
const ASIDE: Readonly<Record<string, CheckValue>> = {
  connection: checkText,
  abortOnDisconnect: checkBoolean,
};

/** Below this a number that was meant as seconds is more likely than such a short lease. */
const SHORT_TTL = 1000;

/**
 * Validates what one place sets and brings it into the form in which it is used.
 *
 * @param options as the application wrote them
 * @param where method, call or module, for messages
 * @param allowed one of the sets of `option-names.ts`
 * @param warnings takes what is allowed but hardly meant
 * @throws LockOptionsError
 */
export function checkOptions(
  options: unknown,
  where: string,
  allowed: ReadonlySet<string>,
  warnings: string[] = [],
): OwnSettings {
  // Where nothing can be skipped, a default of the module must not make it so.
  const own: Record<string, unknown> = allowed.has('onBusy') ? {} : { onBusy: 'throw' };
  for (const [option, value] of entriesOf(options, where)) {
    if (value === undefined) continue;
    if (!allowed.has(option)) throw unknownOption(option, where, allowed);
    if (Object.hasOwn(SETTINGS, option)) own[option] = SETTINGS[option as keyof OwnSettings](value, option, where);
    else ASIDE[option]?.(value, option, where);
  }
  const { ttl, minHold, maxHold } = own as OwnSettings;
  checkHold(minHold, maxHold, where);
  if (ttl !== undefined && ttl < SHORT_TTL && typeof (options as { ttl: unknown }).ttl === 'number') {
    warnings.push(`${where}: ttl is ${ttl} ms; if seconds were meant, write '${ttl}s'.`);
  }
  return own;
}

/** @throws LockOptionsError when a lock would have to be held for longer than it may be */
export function checkHold(minHold = 0, maxHold = Infinity, where: string): void {
  if (minHold <= maxHold) return;
  throw new LockOptionsError(`${where}: minHold (${minHold} ms) is longer than maxHold (${maxHold} ms).`);
}

function entriesOf(options: unknown, where: string): [string, unknown][] {
  if (options === undefined) return [];
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return Object.entries(options);
  throw wrongValue(options, 'the options argument', where, "it must be an object, such as { wait: '2s' }");
}
