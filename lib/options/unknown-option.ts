import { LockOptionsError } from '../errors/lock-options.error.js';
import { DECORATOR_OPTIONS, DEFAULT_OPTIONS, MODULE_OPTIONS, NOT_BUILT } from './option-names.js';
import { quoteValue } from './quote-value.js';

/** Often looked for in the module instead of in its `connection`. */
const CONNECTION_PARTS = new Set(['url', 'host', 'port', 'db', 'username', 'password', 'sentinels', 'keyPrefix']);

/**
 * Refuses an option that does not exist where it stands: one that is ignored looks like one that works.
 *
 * @param allowed names that exist there
 */
export function unknownOption(name: string, where: string, allowed: ReadonlySet<string>): LockOptionsError {
  const reason =
    knownReason(name, allowed) ??
    `is unknown; ${nearest(name, allowed) ?? `the options are ${[...allowed].join(', ')}`}`;
  return new LockOptionsError(`${where}: option ${quoteValue(name)} ${reason}.`);
}

function knownReason(name: string, allowed: ReadonlySet<string>): string | undefined {
  if (NOT_BUILT.has(name)) return 'is not part of this version';
  if (name === 'abortOnDisconnect') return 'is for LockInterceptor.with only, which alone knows the client';
  if (allowed !== MODULE_OPTIONS) {
    if (name === 'onBusy') return 'is for decorators only';
    if (DECORATOR_OPTIONS.has(name)) return 'has no meaning here';
    return MODULE_OPTIONS.has(name) ? 'is for the module only' : undefined;
  }
  if (DEFAULT_OPTIONS.has(name)) return `stands inside defaults: { ${name} }`;
  if (name === 'name' || name === 'isGlobal') return 'stands beside the factory, not in what it returns';
  return CONNECTION_PARTS.has(name) ? 'stands inside connection, as ioredis takes it' : undefined;
}

function nearest(name: string, allowed: ReadonlySet<string>): string | undefined {
  const found = [...allowed].find((other) => isNear(name.toLowerCase(), other.toLowerCase()));
  return found && `perhaps ${found} is meant`;
}

/** One letter too many, missing or wrong, or two in the wrong order. */
function isNear(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  const swapped = `${restA.charAt(1)}${restA.charAt(0)}${restA.slice(2)}`;
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1) || swapped === restB;
}
