/** How those who want a lock wait for it; for tests of what everybody gets, however he waits. */
export const WAYS = [
  { way: 'in the line of its process', fair: false },
  { way: 'fair', fair: true },
] as const;

/** Options of a module whose callers all stand in the queue of Redis themselves; for tests that look at that queue. */
export const ALL_QUEUE = { defaults: { fair: true } } as const;
