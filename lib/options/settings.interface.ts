import type { LockDecoratorOptions } from '../interfaces/lock-options.interface.js';

/** How many replicas must have a grant, and how long they are waited for (ms). */
export interface ReplicaQuorum {
  readonly min: number;
  readonly timeout: number;
}

/** Options of one call, validated; every time in milliseconds. */
export interface Settings {
  readonly ttl: number;
  readonly renew: boolean;
  /** Strict arrival order over all processes. */
  readonly fair: boolean;
  /** 0 = one try; Infinity = no limit. */
  readonly wait: number;
  /** In defaults: whether the application chose `wait`, which then also holds for its own default `onBusy: 'skip'`. */
  readonly waitChosen?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Infinity = no limit. */
  readonly maxHold: number;
  readonly minHold: number;
  readonly reentrant: boolean;
  readonly headStart: number;
  readonly replicas?: ReplicaQuorum | undefined;
  readonly onBusy: NonNullable<LockDecoratorOptions['onBusy']>;
  readonly onLost: NonNullable<LockDecoratorOptions['onLost']>;
  readonly releaseMode: NonNullable<LockDecoratorOptions['releaseMode']>;
}

/** What was set in one place. */
export type OwnSettings = Partial<Omit<Settings, 'waitChosen'>>;
