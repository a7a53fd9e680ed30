import { AsyncLocalStorage } from 'node:async_hooks';
import type { Frame } from './frame.js';

/** The number stands for the shape of `Frame`: copies of the package that agree on it share their frames. */
const KEY = Symbol.for('nestjs-redis-lock:frames:1');

const shared = globalThis as { [KEY]?: AsyncLocalStorage<Frame> };

/** The innermost locked call of the running asynchronous context. */
export const frameStorage = (shared[KEY] ??= new AsyncLocalStorage<Frame>());

/** The innermost locked call that has not ended. */
export function currentFrame(): Frame | undefined {
  const frame = frameStorage.getStore();
  return frame === undefined || frame.active ? frame : frame.parent;
}
