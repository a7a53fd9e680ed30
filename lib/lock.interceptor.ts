import {
  HttpException,
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { map, Observable } from 'rxjs';
import { answerErrors } from './answer-errors.js';
import { gateOf } from './context/gate-of.js';
import { handlerShape } from './context/handler-shape.js';
import { isAsyncGenerator } from './context/lazy-result.js';
import type { LockGate } from './context/lock-gate.js';
import { lockGenerator } from './context/locked-generator.js';
import { LockedSection, type SectionPlan, type SourceShape } from './context/locked-section.js';
import { LockOptionsError } from './errors/index.js';
import { lockSpec } from './context/lock-spec.js';
import { runSection } from './context/run-section.js';
import { onDisconnect } from './on-disconnect.js';
import type { LockInterceptorOptions } from './interfaces/lock-options.interface.js';
import type { WellFormedTemplate, WellFormedTemplates } from './keys/key-template.types.js';
import { mergeSettings } from './options/merge-settings.js';
import { INTERCEPTOR_OPTIONS } from './options/option-names.js';
import type { Settings } from './options/settings.interface.js';
import { getLockServiceProperty, getLockServiceToken } from './redis-lock.constants.js';
import { BARE_INTERCEPTOR, MISSING_INTERCEPTOR_SERVICE } from './redis-lock.messages.js';

/** Text such as `'tenant:<0.user.tenantId>'`, several of them, or a function of the interceptor's arguments. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the arguments are depends on the transport
export type InterceptorKey = string | readonly string[] | ((...args: any[]) => string | readonly string[]);

type WellFormedKey<K> = K extends string
  ? WellFormedTemplate<K>
  : K extends readonly string[]
    ? WellFormedTemplates<K>
    : unknown;

/**
 * The one place where a lock is taken before `next.handle()` and given back when its result has ended. Decorated methods run
 * through it with their own arguments; `LockInterceptor.with` puts it on handlers.
 *
 * @publicApi
 */
export abstract class LockInterceptor implements NestInterceptor {
  /**
   * An interceptor that runs a handler, or all handlers of a controller, under a lock. It also works as `APP_INTERCEPTOR`.
   *
   * Interceptors run after guards and before pipes, so the key is made from what the transport delivered: `<0>` is the
   * request in HTTP, the data in a message handler. The lock is held until the result of the handler has ended: to the end of
   * an Observable, of server-sent events or of an async generator. A file or another stream that the handler returns is sent
   * after that. An interceptor that stops waiting (a timeout) or a client that leaves does not end a promise, so the lock is
   * held until the handler is through.
   *
   * @example
   * ```ts
   * @UseInterceptors(LockInterceptor.with('tenant:<0.user.tenantId>', { wait: '2s' }))
   * ```
   * @throws LockOptionsError, LockKeyError
   */
  static with<const K extends InterceptorKey>(
    key: K & WellFormedKey<K>,
    options: LockInterceptorOptions = {},
  ): Type<NestInterceptor> {
    return createKeyedInterceptor(key, options);
  }

  constructor() {
    if (new.target === LockInterceptor) throw new LockOptionsError(BARE_INTERCEPTOR());
  }

  /** What to lock for this call. @throws LockKeyError, LockOptionsError */
  protected abstract plan(context: ExecutionContext): SectionPlan;

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return this.lock(context, next, handlerShape(context));
  }

  protected lock(context: ExecutionContext, next: CallHandler, shape: SourceShape): Observable<unknown> {
    return new Observable((subscriber) => {
      const section = new LockedSection(this.plan(context), shape, next, subscriber);
      void section.begin();
      return section;
    });
  }

  /**
   * For a call with one result, which nobody can unsubscribe from. `undefined` where a busy lock makes it skip the call.
   *
   * @param call runs inside the lock
   */
  protected lockCall<T>(context: ExecutionContext, call: () => T | PromiseLike<T>): Promise<T | undefined> {
    const { gate, entry } = this.plan(context);
    return runSection(gate, entry, call);
  }

  /** A generator starts its work when it is first asked for a value, so that is when it takes the lock. */
  protected lockGenerator(
    context: ExecutionContext,
    create: () => AsyncGenerator<unknown, unknown, unknown>,
  ): AsyncGenerator<unknown, unknown, unknown> {
    return lockGenerator((next) => this.lock(context, next, 'stream'), create);
  }
}

function createKeyedInterceptor(key: InterceptorKey, options: LockInterceptorOptions): Type<NestInterceptor> {
  const rules = { self: false, allowed: INTERCEPTOR_OPTIONS };
  const { namesOf, options: own, warnings } = lockSpec(key, options, 'LockInterceptor.with', rules);
  const service = getLockServiceProperty(options.connection);
  const { abortOnDisconnect } = options;

  @Injectable()
  class KeyedLockInterceptor extends LockInterceptor {
    @Inject(HttpAdapterHost)
    private readonly adapterHost: HttpAdapterHost;
    private settings: Settings | undefined;

    override intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      return super.intercept(context, next).pipe(
        map((value) => (isAsyncGenerator(value) ? this.lockGenerator(context, () => value) : value)),
        answerErrors(context, this.adapterHost),
      );
    }

    protected override plan(context: ExecutionContext): SectionPlan {
      const gate = gateOf((this as Record<symbol, unknown>)[service]);
      if (gate === undefined) throw new LockOptionsError(MISSING_INTERCEPTOR_SERVICE());
      const label = `${context.getClass().name}.${context.getHandler().name}`;
      const settings = (this.settings ??= this.settle(gate));
      const entry = { kind: 'lock', names: namesOf(context.getArgs(), undefined), label, limit: 1, settings } as const;
      return { gate, entry, endWait: abortOnDisconnect ? endWaitOnDisconnect(context) : undefined };
    }

    private settle(gate: LockGate): Settings {
      for (const warning of warnings) gate.logger.warn(warning);
      return mergeSettings(gate.defaults, own, 'LockInterceptor.with');
    }
  }
  Inject(getLockServiceToken(options.connection))(KeyedLockInterceptor.prototype, service);
  return KeyedLockInterceptor;
}

/** Nobody reads the answer. Any `HttpException` does, since Nest does not log those. */
function endWaitOnDisconnect(context: ExecutionContext): SectionPlan['endWait'] {
  return (end) => onDisconnect(context, () => end(new HttpException('Client Closed Request', 499)));
}
