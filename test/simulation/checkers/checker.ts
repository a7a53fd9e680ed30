import type { History } from '../history/history.js';

/** Something that must not be. */
export interface Violation {
  readonly check: string;
  /** Simulated ms. */
  readonly at: number;
  readonly what: string;
  /** Ids of the attempts that show it. */
  readonly attempts: readonly string[];
}

export type Finding = Omit<Violation, 'check'>;

export interface Checker {
  readonly name: string;
  /** Holds also where the server loses data or has its clock set. */
  readonly always: boolean;
  check(history: History): Iterable<Finding>;
}
