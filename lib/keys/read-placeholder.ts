import type { KeyPlaceholder } from './key-placeholder.js';
import { RefusedKeyPart, SHARED_BY_ALL } from './refused-key-part.js';

/**
 * Value that a placeholder stands for in one call.
 *
 * @throws RefusedKeyPart where the path cannot be followed to its end
 */
export function readPlaceholder(placeholder: KeyPlaceholder, args: readonly unknown[], self: unknown): unknown {
  const { source, path } = placeholder;
  if (source !== 'this' && source >= args.length) {
    throw new RefusedKeyPart(
      `undefined, as the call has ${args.length} argument${args.length === 1 ? '' : 's'}`,
      'they are counted from 0, and default values of parameters are not seen',
    );
  }
  let value = source === 'this' ? self : args[source];
  for (let depth = 0; depth < path.length; depth++) {
    value = readStep(value, placeholder, depth);
  }
  return value;
}

function readStep(value: unknown, placeholder: KeyPlaceholder, depth: number): unknown {
  const step = placeholder.path[depth] as string | number;
  if (typeof value !== 'object' || value === null) {
    throw missing(placeholder, depth, `is ${describeLeaf(value)}`);
  }
  let found: boolean;
  let next: unknown;
  try {
    found = hasField(value, step);
    next = found ? (value as Record<string | number, unknown>)[step] : undefined;
  } catch (cause) {
    throw missing(placeholder, depth, `throws when '${step}' is read`, cause);
  }
  if (!found) throw missing(placeholder, depth, `has no '${step}'`);
  return next;
}

/**
 * Fields of a value are its own properties and what its class defines. Not what every object or array inherits, and not
 * the length of a list: a key made of it is a mistake.
 */
function hasField(value: object, step: string | number): boolean {
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  if (isList && step === 'length') return false;
  if (Object.hasOwn(value, step)) return true;
  return !isList && step in value && !(step in Object.prototype);
}

function missing({ source, path }: KeyPlaceholder, depth: number, why: string, cause?: unknown): RefusedKeyPart {
  const steps = path.slice(0, depth).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return new RefusedKeyPart(
    `missing, as <${source}${steps.join('')}> ${why}`,
    SHARED_BY_ALL,
    cause === undefined ? undefined : { cause },
  );
}

function describeLeaf(value: unknown): string {
  return value == null ? String(value) : `a ${typeof value}, without fields`;
}
