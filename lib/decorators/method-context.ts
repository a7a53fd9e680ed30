import type { ContextType, ExecutionContext, Type } from '@nestjs/common';
import type { LockedMethod } from './locked-method.js';

/** One call of a locked method, as `LockInterceptor` sees it. */
export class MethodContext implements ExecutionContext {
  constructor(
    readonly method: LockedMethod,
    readonly self: unknown,
    readonly args: unknown[],
  ) {}

  /** Calls the method itself, without a lock. */
  call(): unknown {
    return Reflect.apply(this.method.original, this.self, this.args);
  }

  getClass<T>(): Type<T> {
    return this.method.target.constructor as Type<T>;
  }

  getHandler(): (...args: unknown[]) => unknown {
    return this.method.original;
  }

  getArgs<T extends unknown[]>(): T {
    return this.args as T;
  }

  getArgByIndex<T>(index: number): T {
    return this.args[index] as T;
  }

  /** No transport: the arguments are those of the method. */
  getType<T extends string = ContextType>(): T {
    return 'method' as T;
  }

  switchToHttp(): ReturnType<ExecutionContext['switchToHttp']> {
    return { getRequest: this.getter(0), getResponse: this.getter(1), getNext: this.getter(2) };
  }

  switchToRpc(): ReturnType<ExecutionContext['switchToRpc']> {
    return { getData: this.getter(0), getContext: this.getter(1) };
  }

  switchToWs(): ReturnType<ExecutionContext['switchToWs']> {
    return { getClient: this.getter(0), getData: this.getter(1), getPattern: this.getter(this.args.length - 1) };
  }

  private getter(index: number): <T>() => T {
    return <T>() => this.args[index] as T;
  }
}
