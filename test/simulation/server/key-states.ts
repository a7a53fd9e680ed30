import type { RedisKeys } from '../../../lib/keys/redis-keys.js';
import type { LockKind } from '../../../lib/interfaces/lock-kind.type.js';
import type { SimServer } from './sim-server.js';

/** A token that the server takes for an owner, and until when, in ms of its clock. */
export interface Holder {
  readonly token: string;
  readonly until: number;
}

/** Who holds a key in the eyes of the server. */
export function readHolders(server: SimServer, kind: LockKind, keys: RedisKeys): Holder[] {
  const entry = server.data.get(keys.owner);
  if (entry === undefined) return [];
  const { value, expiresAt = Infinity } = entry;
  // The server counts whole milliseconds, and looks at its clock with the next command only.
  if (kind === 'lock')
    return expiresAt < Math.floor(server.clock()) ? [] : [{ token: value as string, until: expiresAt }];
  const members = (value as { all(): readonly { member: string; score: number }[] }).all();
  return members
    .map(({ member, score }) => ({ token: member, until: score }))
    .filter(({ until }) => until > Math.floor(server.clock()));
}

/** Tokens in the queue of a key by their tickets, the head first. */
export function readQueue(server: SimServer, keys: RedisKeys): Map<string, number> {
  const entry = server.data.get(keys.queue);
  if (entry === undefined) return new Map();
  const members = (entry.value as { all(): readonly { member: string; score: number }[] }).all();
  return new Map(members.map(({ member, score }) => [member, score]));
}

/** What the server remembers of the processes that wait. */
export function readMarks(server: SimServer, keys: RedisKeys): Map<string, number> {
  const entry = server.data.get(keys.seen);
  if (entry === undefined) return new Map();
  return new Map([...(entry.value as Map<string, string>)].map(([client, mark]) => [client, Number(mark)]));
}
