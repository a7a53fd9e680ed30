import type { Scheduler } from './scheduler.js';
import type { SimEvent } from './sim-event.js';

/** Simulated time begins here. */
export const EPOCH = 1_700_000_000_000;

/**
 * Puts the timers and clocks of the simulation in the place of the global ones, for what takes them from there: ioredis.
 * `setImmediate` and `process.nextTick` stay what they are.
 *
 * @returns puts the real ones back
 */
export function replaceGlobals(scheduler: Scheduler): () => void {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const { now } = Date;
  const performanceNow = Object.getOwnPropertyDescriptor(performance, 'now');
  const timeout = (callback: (...args: unknown[]) => void, ms = 1, ...args: unknown[]): SimEvent =>
    scheduler.plan(Math.max(1, Math.trunc(ms) || 1), 'timer', () => callback(...args));
  const clear = (event?: SimEvent): void => {
    if (event) event.cancelled = true;
  };
  const never = (): never => {
    throw new Error('No interval is foreseen in the simulation.');
  };
  Object.assign(globalThis, {
    setTimeout: timeout,
    clearTimeout: clear,
    setInterval: never,
    clearInterval: clear,
  });
  Date.now = () => EPOCH + Math.floor(scheduler.now);
  Object.defineProperty(performance, 'now', { value: () => scheduler.now, configurable: true, writable: true });
  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
    Date.now = now;
    if (performanceNow) Object.defineProperty(performance, 'now', performanceNow);
    else delete (performance as { now?: unknown }).now;
  };
}
