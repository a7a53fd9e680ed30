import { AsyncLocalStorage } from 'node:async_hooks';
import type { Frame } from './frame.js';

/** The number stands for the shape of `Frame`: copies of the package that agree on it share their frames. */
const KEY = Symbol.for('nestjs-redis-lock:frames:1');

const shared = globalThis as { [KEY]?: AsyncLocalStorage<Frame | undefined> };

/** The innermost locked call of the running asynchronous context. */
export const frameStorage = (shared[KEY] ??= new AsyncLocalStorage<Frame | undefined>());

/** The innermost locked call that has not ended. */
export function currentFrame(): Frame | undefined {
  const frame = frameStorage.getStore();
  return frame === undefined || frame.active ? frame : frame.parent;
}

/**
 * Runs work of the engine, which is nobody's nested call. What it creates, such as a connection or the promise of a release,
 * would else carry the frame of its time for as long as it lives, and with it all that this frame refers to.
 */
export function outsideFrames<T>(work: () => T): T {
  return frameStorage.getStore() === undefined ? work() : frameStorage.run(undefined, work);
}
