import type { Settings } from './settings.interface.js';

/** What holds where neither the call nor the module says otherwise. */
export const DEFAULT_SETTINGS: Settings = {
  ttl: 10_000,
  renew: true,
  fair: false,
  wait: 5_000,
  maxHold: Infinity,
  minHold: 0,
  reentrant: true,
  headStart: 0,
  onBusy: 'throw',
  onLost: 'throw',
  releaseMode: 'await',
};

/** Of `replicas`. */
export const DEFAULT_REPLICA_TIMEOUT = 1_000;

export const DEFAULT_CONNECTION = 'redis://localhost:6379';
export const DEFAULT_COMMAND_TIMEOUT = 2_000;
export const DEFAULT_HANDOFF_TTL = 3_000;
export const DEFAULT_SHUTDOWN_TIMEOUT = 10_000;
/** Of `cohort`. */
export const DEFAULT_PASSES = 128;
export const DEFAULT_TURN = 50;

/** A lease below this leaves no time to renew it. */
export const MIN_TTL = 100;
export const MIN_HANDOFF_TTL = 500;
export const MIN_POLL_INTERVAL = 100;
