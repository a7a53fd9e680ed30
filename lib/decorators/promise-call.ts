import type { CallHandler } from '@nestjs/common';
import { from, isObservable, of, type Observable, type Observer } from 'rxjs';
import { isAsyncGenerator, refuseLazyResult } from '../context/lazy-result.js';
import type { LockedMethod } from './locked-method.js';
import { MethodContext } from './method-context.js';
import type { MethodInterceptor } from './method.interceptor.js';
import { callAsObservable } from './observable-call.js';

/** A call of a locked method that gives a promise: the handler of the interceptor, and the one who waits for its result. */
class PromiseCall extends MethodContext implements CallHandler, Observer<unknown> {
  private interceptor: MethodInterceptor;
  private result: unknown;
  private callAgain = false;
  private resolve: (value: unknown) => void;
  private reject: (error: unknown) => void;

  run(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.interceptor = this.method.interceptorFor(this.self);
      this.interceptor.once(this, this).subscribe(this);
    });
  }

  handle(): Observable<unknown> {
    const result = this.call();
    if (isObservable(result)) {
      // Its work has not begun, so nothing is lost by beginning anew under the lock of the subscription.
      this.callAgain = true;
      return of(undefined);
    }
    return from(Promise.resolve(result));
  }

  next(value: unknown): void {
    this.result = value;
  }

  error(error: unknown): void {
    this.reject(error);
  }

  complete(): void {
    try {
      this.resolve(this.locked(this.result));
    } catch (error) {
      this.reject(error);
    }
  }

  /** A result that has not begun its work yet takes the lock when it does. */
  private locked(result: unknown): unknown {
    if (this.callAgain) return callAsObservable(this.method, this.self, this.args);
    if (typeof result !== 'object' || result === null) return result;
    if (isObservable(result)) return this.interceptor.series(this, { handle: () => result });
    if (isAsyncGenerator(result)) return this.interceptor.generator(this, () => result);
    refuseLazyResult(result, this.method.label);
    return result;
  }
}

export function callAsPromise(method: LockedMethod, self: unknown, args: unknown[]): Promise<unknown> {
  return new PromiseCall(method, self, args).run();
}
