import { defer, from, isObservable, type Observable } from 'rxjs';
import type { LockedMethod } from './locked-method.js';
import { MethodContext } from './method-context.js';

/** Takes the lock and calls the method at each subscription. */
export function callAsObservable(method: LockedMethod, self: unknown, args: unknown[]): Observable<unknown> {
  const context = new MethodContext(method, self, args);
  return defer(() => method.interceptorFor(self).series(context, { handle: () => resultOf(context) }));
}

function resultOf(context: MethodContext): Observable<unknown> {
  const result = context.call();
  return isObservable(result) ? result : from(Promise.resolve(result));
}
