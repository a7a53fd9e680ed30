/**
 * What a key names: a lock (one holder) or a semaphore (a bounded number of holders).
 *
 * @publicApi
 */
export type LockKind = 'lock' | 'semaphore';
