import { DECORATED } from './decorated.mjs';
import { DISTANCE } from './distance.mjs';
import { FAIR_HAND_OFF } from './fair-hand-off.mjs';
import { FOOTPRINT } from './footprint.mjs';
import { HOT_KEY } from './hot-key.mjs';
import { IDLE_WAITERS } from './idle-waiters.mjs';
import { MEMORY } from './memory.mjs';
import { RENEWALS } from './renewals.mjs';
import { SEMAPHORE } from './semaphore.mjs';
import { UNCONTENDED } from './uncontended.mjs';
import { WAITERS } from './waiters.mjs';

/** In the order in which they run. */
export const WORKLOADS = [
  ...UNCONTENDED,
  ...HOT_KEY,
  FAIR_HAND_OFF,
  SEMAPHORE,
  WAITERS,
  IDLE_WAITERS,
  RENEWALS,
  DECORATED,
  FOOTPRINT,
  MEMORY,
  DISTANCE,
];
