import type { LockKind } from '../../../lib/interfaces/lock-kind.type.js';
import type { Attempt } from './attempt.js';

/** A time during which the server took a token for an owner. */
export interface Ownership {
  readonly kind: LockKind;
  readonly key: string;
  readonly token: string;
  readonly from: number;
  /** When it ended, by its expiry or before. */
  to: number;
}

/** A time during which a token stood in a queue. */
export interface QueuePlace {
  readonly kind: LockKind;
  readonly key: string;
  readonly token: string;
  readonly from: number;
  to: number;
}

/** A token became an owner while others stood before it in the queue and did not. */
export interface Overtaking {
  readonly kind: LockKind;
  readonly key: string;
  readonly at: number;
  readonly token: string;
  readonly overtaken: readonly OvertakenToken[];
}

/** A token became the owner without a request of its own process, which the server could not reach though it seemed so. */
export interface UnheardHandOff {
  readonly kind: LockKind;
  readonly key: string;
  readonly at: number;
  readonly token: string;
}

export interface OvertakenToken {
  readonly token: string;
  /** The server saw a subscriber on the channel of its process. */
  readonly heard: boolean;
}

/** A fault that struck. */
export interface Disturbance {
  readonly fault: string;
  /** Process that is hit; undefined for all. */
  readonly client: string | undefined;
  readonly from: number;
  /** The fault itself is over. */
  readonly until: number;
  /** So is what follows from it: answers that are given up, connections that are made anew. */
  readonly to: number;
  readonly note: string;
}

export interface LogLine {
  readonly at: number;
  readonly client: string;
  readonly level: string;
  readonly text: string;
}

/** The times of the module under which a history came about, ms. */
export interface HistoryTimes {
  readonly commandTimeout: number;
  readonly handoffTtl: number;
  readonly pollInterval: number;
  /** Limits of one turn of a process. */
  readonly cohort: { readonly passes: number; readonly time: number };
}

/** A process that was ended for good, and how. */
export interface ClientEnd {
  readonly client: string;
  readonly at: number;
  readonly how: 'killed' | 'closed';
}

/** Everything that the checkers look at. Times are simulated ms. */
export interface History {
  readonly times: HistoryTimes;
  readonly attempts: Attempt[];
  readonly ownerships: Ownership[];
  readonly places: QueuePlace[];
  readonly overtakings: Overtaking[];
  readonly unheard: UnheardHandOff[];
  readonly disturbances: Disturbance[];
  readonly ends: ClientEnd[];
  readonly log: LogLine[];
  /** What the server was asked and what it said; only for a trace. */
  readonly commands: { readonly at: number; readonly line: string }[];
  /** What was found while it ran: keys without a TTL, rejections that nobody handles, things left over at the end. */
  readonly leftovers: { readonly at: number; readonly what: string }[];
  /** Ids of the calls that were made at the end, when all faults were over and all work had had its time. */
  readonly last: string[];
}

export function emptyHistory(times: HistoryTimes): History {
  return {
    times,
    attempts: [],
    ownerships: [],
    places: [],
    overtakings: [],
    unheard: [],
    disturbances: [],
    ends: [],
    log: [],
    commands: [],
    leftovers: [],
    last: [],
  };
}

/** Which attempt a token was made for: its label is the id. Others of the same process may use it; see `usesOf`. */
export function attemptIdOf(token: string): string {
  return token.slice(token.lastIndexOf(':') + 1);
}

/** A holding that was left early and stays closed for the rest of its `minHold`. */
export function isKept(token: string): boolean {
  return token.startsWith('kept:');
}

/** Process that made a token. */
export function clientIdOf(token: string): string {
  return token.split(':')[1] ?? '';
}
