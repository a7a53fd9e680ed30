import type { LockKind } from '../interfaces/lock-kind.type.js';
import { encodeLooseBraces, findHashTag } from './hash-tag.js';
import { shortName } from './short-name.js';

/** The names that one lock has in Redis. All of them are in one Cluster slot. */
export interface RedisKeys {
  /** Holds the token of the holder (lock) or the holders with their expiry (semaphore). */
  readonly owner: string;
  /** Waiters by ticket; exists only while somebody waits. */
  readonly queue: string;
  /** Last sign of life of every waiting process; exists only while somebody waits. */
  readonly seen: string;
}

/** What all keys of one module have in common. */
export interface KeySpace {
  /** `keyPrefix` of the client and namespace of the module, in front of every owner key. */
  readonly prefix: string;
}

/**
 * Owner key of the lock that a caller calls `name`, from which the other names follow. The kind stands in front, so that no name
 * can equal a queue, nor a lock a semaphore.
 *
 * @param name checked by `checkName` or rendered from a template
 */
export function ownerKey(kind: LockKind, name: string, { prefix }: KeySpace): string {
  return `${prefix}${kind}:${encodeLooseBraces(shortName(name))}`;
}

/** The other names of the lock with this owner key. */
export function keysOfOwner(owner: string): RedisKeys {
  const tagged = findHashTag(owner) ? owner : `{${owner}}`;
  return { owner, queue: `queue:${tagged}`, seen: `seen:${tagged}` };
}
