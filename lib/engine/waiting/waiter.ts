import type { AcquireRequest } from '../acquire-request.interface.js';
import type { Alarm } from '../alarm.js';
import type { GrantedLease } from '../holding/held-lease.js';
import { listenToAbort, unlistenToAbort, type AbortListener } from './abort-listeners.js';

/** A hand-off that was announced but cannot be dated yet. */
export interface PendingGrant {
  readonly fence: number;
  readonly expiry: number;
  readonly receivedAt: number;
  /** Of the server that told it. */
  readonly address: string;
}

/** On whose behalf a waiter asks. */
export interface Applicant {
  granted(grant: GrantedLease, waiter: Waiter): void;
  refused(error: unknown, waiter: Waiter): void;
  /** The lock is not to be had at once. Whoever has this ends the waiting himself; else it ends by the request's `wait`. */
  mustWait?(): void;
}

/** What is known of whoever has the lock. */
export interface KnownHolder {
  /** Token; empty where none is known. */
  readonly holder: string;
  /** Of the call, where that is not the one that the token was made for: the lock was passed on within the process. */
  readonly label?: string | undefined;
  /** Milliseconds left of the present lease; negative where it never ends. */
  readonly rest: number;
}

/** A call that waits. */
export interface Wait {
  readonly request: AcquireRequest;
  /** When it began, on the monotonic clock. */
  readonly since: number;
}

/** What a grant gives, ms. */
export interface Leases {
  readonly plain: number;
  /** Short, since the one it goes to may be dead; but as long as wanted where nobody would lengthen it. */
  readonly handed: number;
}

export function leasesOf({ ttl, renew, maxHold, minHold }: AcquireRequest, handoffTtl: number): Leases {
  const plain = Math.max(Math.min(ttl, maxHold), minHold);
  return { plain, handed: renew ? Math.min(ttl, handoffTtl, maxHold) : plain };
}

/** One acquisition that has not been granted yet. */
export class Waiter implements Wait, KnownHolder {
  /** Where it stands in the queue, known once the server said so; it keeps the place when the entry got lost. */
  ticket = '';
  /** One acquire of a token is under way at a time. */
  inFlight = false;
  /** Some acquire was sent, so Redis may know the token. */
  sent = false;
  /** The server has said at least once that the lock is busy. */
  answered = false;
  /** Why the last request had no answer that counts; undefined once one had. */
  trouble: unknown;
  /** Grants that were found to be past already, one after the other. */
  confirmations = 0;
  /** A grant was found past, and the server is to be asked as soon as the request under way is answered. */
  mustConfirm = false;
  /** It was asked once more, since it came before a release that it should have followed. */
  overtook = false;
  pendingGrant: PendingGrant | undefined;
  done = false;
  /** End of the waiting; set when it turns out that there is something to wait for. */
  deadline: Alarm | undefined;
  /** Of the last answer: ms left of the holder's lease, and its token. */
  rest = -2;
  holder = '';
  private abort: AbortListener | undefined;

  constructor(
    readonly request: AcquireRequest,
    readonly token: string,
    readonly leases: Leases,
    /** When the wait began, on the monotonic clock. */
    readonly since: number,
    /** False for one try. */
    public waits: boolean,
    readonly applicant: Applicant,
  ) {}

  /** Ends the waiting when the request's signal aborts. */
  listen(onAbort: (reason: unknown) => void): void {
    const { signal } = this.request;
    if (!signal || this.done) return;
    this.abort = { aborted: () => onAbort(signal.reason) };
    listenToAbort(signal, this.abort);
  }

  /** Takes the listener off the signal. */
  deafen(): void {
    if (this.abort) unlistenToAbort(this.request.signal as AbortSignal, this.abort);
  }

  hear({ rest, holder }: KnownHolder): void {
    this.trouble = undefined;
    this.rest = rest;
    this.holder = holder;
  }

  /** Its ticket, or where it would like to have one. */
  get place(): string | number {
    return this.ticket || -this.request.headStart * 1000;
  }
}
