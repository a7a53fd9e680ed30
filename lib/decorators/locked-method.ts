import { classNameOf } from '../class-name-of.js';
import { gateOf } from '../context/gate-of.js';
import type { LockGate } from '../context/lock-gate.js';
import { LockOptionsError } from '../errors/index.js';
import { mergeSettings } from '../options/merge-settings.js';
import { MISSING_SERVICE } from '../redis-lock.messages.js';
import type { LockSpec } from '../context/lock-spec.js';
import { MethodInterceptor } from './method.interceptor.js';
import type { DecoratedMethod, Method } from './placement.js';
import type { ResultShape } from './result-shape.js';

/** A method with its lock, the same for all applications of the process. */
export class LockedMethod {
  readonly target: object;
  readonly original: Method;
  readonly label: string;
  private readonly className: string;
  private readonly interceptors = new WeakMap<LockGate, MethodInterceptor>();

  /** @param property under which an object of the class has its service */
  constructor(
    method: DecoratedMethod,
    readonly spec: LockSpec,
    readonly shape: ResultShape,
    private readonly property: symbol,
  ) {
    this.target = method.target;
    this.original = method.original;
    this.label = method.label;
    this.className = method.className;
  }

  /**
   * The way into the lock for calls on `self`, in the application that `self` belongs to.
   *
   * @throws LockOptionsError when `self` has no service
   */
  interceptorFor(self: unknown): MethodInterceptor {
    const gate = gateOf((self as Record<symbol, unknown> | null | undefined)?.[this.property]);
    if (gate === undefined) {
      throw new LockOptionsError(MISSING_SERVICE(this.label, classNameOf(self) || this.className));
    }
    return this.interceptors.get(gate) ?? this.createInterceptor(gate);
  }

  private createInterceptor(gate: LockGate): MethodInterceptor {
    const { options, warnings } = this.spec;
    for (const warning of warnings) gate.logger.warn(warning);
    const interceptor = new MethodInterceptor(gate, this, mergeSettings(gate.defaults, options, this.label));
    this.interceptors.set(gate, interceptor);
    return interceptor;
  }
}
