import { LockKeyError } from '../errors/lock-key.error.js';
import { checkName } from './check-name.js';
import { encodeKeyPart, separatesValues } from './encode-key-part.js';
import { RefusedKeyPart } from './refused-key-part.js';

/**
 * Tag that builds the name of a lock exactly as a key template does: values are encoded, so that an id with a colon cannot
 * name another lock, and a missing value is refused instead of becoming `order:undefined`.
 *
 * @example
 * ```ts
 * await locks.withLock(lockKey`order:${order.id}`, async () => { ... });
 * ```
 *
 * @throws LockKeyError
 * @publicApi
 */
export function lockKey(literals: TemplateStringsArray, ...values: unknown[]): string {
  if (!Array.isArray(literals)) {
    throw new LockKeyError('lockKey: it is a tag; write lockKey`order:${id}`, without parentheses.');
  }
  let name = literal(literals, 0);
  for (let index = 0; index < values.length; index++) {
    if (index > 0 && !separatesValues(literal(literals, index))) {
      throw new LockKeyError(
        `lockKey: put a colon between value ${index - 1} and value ${index}, or different values could make the same key.`,
      );
    }
    name += encodeValue(literals, values, index) + literal(literals, index + 1);
  }
  return checkName(name, 'lockKey');
}

function encodeValue(literals: TemplateStringsArray, values: unknown[], index: number): string {
  try {
    return encodeKeyPart(values[index]);
  } catch (error) {
    if (!(error instanceof RefusedKeyPart)) throw error;
    throw new LockKeyError(
      `lockKey: value ${index}, after '${literals[index]}', is ${error.reason}; ${error.hint}.`,
      error.cause === undefined ? undefined : { cause: error.cause },
    );
  }
}

/** A literal with an escape that JavaScript does not know arrives as undefined. */
function literal(literals: TemplateStringsArray, index: number): string {
  const text = literals[index];
  if (text !== undefined) return text;
  throw new LockKeyError(`lockKey: the text \`${literals.raw[index]}\` has an invalid escape sequence.`);
}
