import { LockOptionsError } from '../errors/lock-options.error.js';
import { isWellFormed } from './encode-key-part.js';
import { findHashTag } from './hash-tag.js';
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
  const refuse = (why: string) => new LockOptionsError(`${where}: ${why}`);
  if (typeof keyPrefix !== 'string' || !isWellFormed(keyPrefix)) {
    throw refuse('keyPrefix of the connection must be a string.');
  }
  if (namespace !== undefined) {
    const flaw = flawOfNamespace(namespace);
    if (flaw) throw refuse(`namespace ${flaw}, such as 'shop'.`);
  }
  const tag = findHashTag(keyPrefix);
  if (!tag && /[{}]/.test(keyPrefix)) {
    throw refuse(
      `keyPrefix '${keyPrefix}' has braces that form no hash tag; the keys of one lock would not share a Cluster slot.`,
    );
  }
  const prefix = `${keyPrefix}${namespace === undefined ? '' : `${namespace as string}:`}`;
  if (!tag) return { prefix };
  const warning = `${where}: the hash tag in keyPrefix '${keyPrefix}' puts every lock into one Cluster slot.`;
  return { prefix, warning };
}

function flawOfNamespace(namespace: unknown): string | undefined {
  if (typeof namespace !== 'string' || namespace === '') {
    return 'must be text';
  }
  if (/[\s\p{Cc}\p{Cs}]/u.test(namespace)) {
    return 'must be text without white space and control characters';
  }
  if (/[{}]/.test(namespace)) {
    return 'must be text without braces, which would put every lock into one Cluster slot';
  }
  const reserved = namespace.split(':').find((part) => RESERVED.has(part));
  return reserved && `must be text other than '${reserved}', which marks our own keys`;
}
