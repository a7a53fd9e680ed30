import { wrongValue } from '../options/check-value.js';
import { findHashTag } from './hash-tag.js';
import { isWellFormed } from './is-well-formed.js';
import type { KeySpace } from './redis-keys.js';

export interface SpaceOptions {
  /** `keyPrefix` of the ioredis client, which we put in front ourselves. */
  readonly keyPrefix?: unknown;
  readonly namespace?: unknown;
}

export interface CheckedSpace extends KeySpace {
  /** Something that works but is hardly meant. */
  readonly warning?: string;
}

/** With one of these in a namespace, a key of one application could be the key of another one. */
const RESERVED = new Set(['lock', 'semaphore', 'rwlock', 'queue', 'seen']);

/**
 * What stands in front of every owner key.
 *
 * @param where module or connection, for the message
 * @throws LockOptionsError
 */
export function checkSpace(options: SpaceOptions, where: string): CheckedSpace {
  const { keyPrefix = '', namespace } = options;
  if (typeof keyPrefix !== 'string' || !isWellFormed(keyPrefix)) {
    throw wrongValue(keyPrefix, 'keyPrefix of the connection', where, 'it must be text');
  }
  const tag = findHashTag(keyPrefix);
  if (!tag && /[{}]/.test(keyPrefix)) {
    const why = 'its braces form no hash tag, so the keys of one lock would not share a Cluster slot';
    throw wrongValue(keyPrefix, 'keyPrefix of the connection', where, why);
  }
  const prefix = namespace === undefined ? keyPrefix : `${keyPrefix}${checkNamespace(namespace, where)}:`;
  if (!tag) return { prefix };
  const warning = `${where}: the hash tag in keyPrefix '${keyPrefix}' puts every lock into one Cluster slot.`;
  return { prefix, warning };
}

function checkNamespace(namespace: unknown, where: string): string {
  const refuse = (demand: string) => wrongValue(namespace, 'namespace', where, demand);
  if (typeof namespace !== 'string' || namespace === '') throw refuse("it must be text, such as 'shop'");
  if (/[\s\p{Cc}\p{Cs}]/u.test(namespace)) throw refuse('it must not contain white space or control characters');
  if (/[{}]/.test(namespace)) throw refuse('braces would put every lock into one Cluster slot');
  const reserved = namespace.split(':').find((part) => RESERVED.has(part));
  if (reserved !== undefined) throw refuse(`'${reserved}' marks keys of our own`);
  return namespace;
}
