import { groupBy } from '../core/group-by.js';
import type { Attempt } from './attempt.js';
import { attemptIdOf, isKept, type History } from './history.js';

/** What a token is good for. */
export interface TokenUse {
  /** Those who can have entered with it: one call, or all that shared a line of their process. */
  readonly attempts: readonly Attempt[];
  /** When the first of them entered with it; undefined if none did. */
  readonly enteredAt: number | undefined;
  /** From when nobody wants it any more; Infinity where it is left to run out. */
  readonly endOfUse: number;
}

/** Whether a call waits in the line of its process. */
export function sharesLine({ kind, fair, wait, renew, minHold }: Attempt): boolean {
  return kind === 'lock' && !fair && wait > 0 && renew && minHold === 0;
}

interface SharedToken {
  readonly token: string;
  readonly seenAt: number;
  /** For whom it was made first. */
  readonly maker: Attempt;
}

/** Uses of all tokens that the server ever knew. */
export function usesOf(history: History): ReadonlyMap<string, TokenUse> {
  const attempts = new Map(history.attempts.map((attempt) => [attempt.id, attempt]));
  const users = groupBy(history.attempts, ({ token = '' }) => token);
  const lines = groupBy(history.attempts.filter(sharesLine), lineOf);
  const uses = new Map<string, TokenUse>();
  const shared = new Map<string, SharedToken[]>();
  for (const [token, seenAt] of firstSeen(history)) {
    const maker = attempts.get(attemptIdOf(token));
    if (!maker || isKept(token)) continue;
    if (sharesLine(maker)) {
      shared.set(lineOf(maker), [...(shared.get(lineOf(maker)) ?? []), { token, seenAt, maker }]);
    } else uses.set(token, useOf([maker], users.get(token) ?? [], endOfUse(maker)));
  }
  for (const [line, tokens] of shared) {
    const members = lines.get(line) ?? [];
    tokens.sort((a, b) => sequenceOf(a.token) - sequenceOf(b.token));
    tokens.forEach(({ token, maker }, i) => {
      const replacedAt = tokens[i + 1]?.seenAt ?? Infinity;
      uses.set(token, useOf(members, users.get(token) ?? [], endOfEntry(maker, members, replacedAt)));
    });
  }
  return uses;
}

function useOf(attempts: readonly Attempt[], users: readonly Attempt[], unused: number): TokenUse {
  if (users.length === 0) return { attempts, enteredAt: undefined, endOfUse: unused };
  const enteredAt = Math.min(...users.map((user) => user.enteredAt ?? Infinity));
  return { attempts, enteredAt, endOfUse: Math.max(...users.map(endOfUse)) };
}

/** An entry that nobody entered with is good until another one is made for the same line, or nobody is left in it. */
function endOfEntry(maker: Attempt, members: readonly Attempt[], replacedAt: number): number {
  let end = endOfWait(maker);
  for (const member of members) if (member.askedAt <= end) end = Math.max(end, endOfWait(member));
  return Math.min(replacedAt, end);
}

function endOfWait({ abortedAt = Infinity, enteredAt = Infinity, endedAt = Infinity }: Attempt): number {
  return Math.min(abortedAt, enteredAt, endedAt);
}

function endOfUse({ leftAt, endedAt = Infinity, abandons, enteredAt }: Attempt): number {
  return abandons && enteredAt !== undefined ? Infinity : (leftAt ?? endedAt);
}

function firstSeen({ places, ownerships }: History): Map<string, number> {
  const seen = new Map<string, number>();
  for (const { token, from } of [...places, ...ownerships])
    seen.set(token, Math.min(from, seen.get(token) ?? Infinity));
  return seen;
}

export function lineOf({ client, key }: Attempt): string {
  return `${client} ${key}`;
}

function sequenceOf(token: string): number {
  return parseInt(token.split(':')[2] ?? '', 36);
}
