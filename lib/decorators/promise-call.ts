import { isObservable } from 'rxjs';
import { isAsyncGenerator, refuseLazyResult } from '../context/lazy-result.js';
import type { LockedMethod } from './locked-method.js';
import { MethodContext } from './method-context.js';
import { callAsObservable } from './observable-call.js';

/**
 * Takes the lock, calls the method, and gives its result once the lock is given back. A result that has not begun its work yet
 * takes the lock when it does.
 */
export async function callAsPromise(method: LockedMethod, self: unknown, args: unknown[]): Promise<unknown> {
  const context = new MethodContext(method, self, args);
  const interceptor = method.interceptorFor(self);
  let again = false;
  const result = await interceptor.once(context, () => {
    const given = context.call();
    // Its work has not begun, so nothing is lost by beginning anew under the lock of the subscription.
    again = isObservable(given);
    return again ? undefined : given;
  });
  if (again) return callAsObservable(method, self, args);
  if (typeof result !== 'object' || result === null) return result;
  if (isObservable(result)) return interceptor.series(context, { handle: () => result });
  if (isAsyncGenerator(result)) return interceptor.generator(context, () => result);
  refuseLazyResult(result, method.label);
  return result;
}
