import type { CallHandler } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { LockGate } from '../context/lock-gate.js';
import type { SectionPlan } from '../context/locked-section.js';
import { LockInterceptor } from '../lock.interceptor.js';
import type { Settings } from '../options/settings.interface.js';
import type { LockedMethod } from './locked-method.js';
import type { MethodContext } from './method-context.js';

/** The interceptor of one locked method in one application. */
export class MethodInterceptor extends LockInterceptor {
  constructor(
    private readonly gate: LockGate,
    private readonly method: LockedMethod,
    private readonly settings: Settings,
  ) {
    super();
  }

  /** For a call that gives one result. */
  once(context: MethodContext, call: () => unknown): Promise<unknown> {
    return this.lockCall(context, call);
  }

  /** For a call that gives a series of values. */
  series(context: MethodContext, next: CallHandler): Observable<unknown> {
    return this.lock(context, next, 'stream');
  }

  generator(
    context: MethodContext,
    create: () => AsyncGenerator<unknown, unknown, unknown>,
  ): AsyncGenerator<unknown, unknown, unknown> {
    return this.lockGenerator(context, create);
  }

  protected override plan(context: MethodContext): SectionPlan {
    const { label, spec } = this.method;
    const { kind, limit, namesOf } = spec;
    const names = namesOf(context.args, context.self);
    return { gate: this.gate, entry: { kind, names, label, limit, settings: this.settings } };
  }
}
