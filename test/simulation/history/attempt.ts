import type { LockKind } from '../../../lib/interfaces/lock-kind.type.js';

/** What one call of the program asks the library for. */
export interface Order {
  readonly kind: LockKind;
  readonly key: string;
  readonly limit: number;
  readonly style: 'section' | 'handle';
  readonly ttl: number;
  readonly renew: boolean;
  /** Exact order over all processes is wanted. */
  readonly fair: boolean;
  readonly wait: number;
  readonly minHold: number;
  /** For how long the work goes on, ms. */
  readonly hold: number;
  /** The work ends when its signal fires. */
  readonly obedient: boolean;
  /** The waiting is cancelled after so many ms; Infinity = never. */
  readonly patience: number;
  /** The handle is dropped without a release. */
  readonly abandons: boolean;
}

/**
 * How it ended: `done` and `lost` after the work; `busy`, `unavailable`, `closed`, `aborted` without it; `failed` with any other
 * error.
 */
export type Outcome = 'done' | 'lost' | 'busy' | 'unavailable' | 'closed' | 'aborted' | 'failed';

/** One call of the library, as the program saw it. Times are simulated ms. */
export interface Attempt extends Order {
  /** Also the label of its tokens. */
  readonly id: string;
  /** Name of the process. */
  readonly client: string;
  readonly askedAt: number;
  abortedAt?: number;
  enteredAt?: number;
  token?: string;
  fence?: number;
  /** Until when the process takes itself for the owner, by its own clock; the last look at it. */
  believedUntil?: number;
  /** The signal of the lease fired. */
  lostAt?: number;
  /** The work ended, and the release began. */
  leftAt?: number;
  abandonedAt?: number;
  /** What the release said. */
  released?: boolean;
  endedAt?: number;
  outcome?: Outcome;
  error?: string;
}

/** Until when the work could rightly take itself for protected; undefined where it never began. */
export function endOfBelief(attempt: Attempt): number | undefined {
  if (attempt.enteredAt === undefined) return undefined;
  const { believedUntil = Infinity, lostAt = Infinity, leftAt = Infinity } = attempt;
  return Math.min(believedUntil, lostAt, leftAt);
}
