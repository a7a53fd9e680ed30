import type { LockedMethod } from './locked-method.js';
import { MethodContext } from './method-context.js';
import { lockGenerator } from '../context/locked-generator.js';

type Source = AsyncGenerator<unknown, unknown, unknown>;

/** Takes the lock and calls the method when the generator is first asked for a value. */
export function callAsGenerator(method: LockedMethod, self: unknown, args: unknown[]): Source {
  const context = new MethodContext(method, self, args);
  return lockGenerator(
    (next) => method.interceptorFor(self).series(context, next),
    () => context.call() as Source,
  );
}
