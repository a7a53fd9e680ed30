/** @import { Target } from '../types.mjs' */

/**
 * @template T
 * @typedef {T | Promise<T>} Eventually
 */

/**
 * What a client process can be told.
 *
 * @typedef {object} Commands
 * @property {() => Eventually<void>} start the callers
 * @property {() => Eventually<void>} quiet: holders release, waiters leave, and nobody comes
 * @property {(targets: Target[], wait: number) => Eventually<{ key: string, at: number | null, reason: string }[]>} probe takes
 *   and gives back each, and tells when it had it
 * @property {(target: Target, name: string, wait: number) => Eventually<number>} take and keep; gives the time
 * @property {(name: string) => Eventually<void>} give back what was kept
 * @property {(target: Target, count: number, wait: number) => Eventually<void>} queue so many waiters
 * @property {(key: string) => Eventually<number>} waiting for a lock, in all processes
 * @property {(key: string, times: number, replicas: number) => Eventually<number[]>} latency of so many acquires, ms
 * @property {() => Eventually<void>} close the application
 */
export {};
