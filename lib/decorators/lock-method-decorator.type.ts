import type { Observable } from 'rxjs';
import type { AnyMethod, IsMisuse, KeyMisuse, TemplateFit } from '../keys/key-template.types.js';
import type { KeyFunction } from '../keys/key-function.type.js';

/** What a call on a busy key does; see `LockDecoratorOptions.onBusy`. */
export type OnBusy = 'throw' | 'skip';

/**
 * Decorator of a method that runs under a lock. It does not compile on a method that
 *
 * - does not return a promise, an Observable or an async generator: there would be nothing to hold the lock for,
 * - has not the parameters and fields that the key asks for,
 * - cannot return `undefined` although a busy key skips it.
 *
 * @typeParam Key literal type of the template, or type of the key function; `string` is not checked
 * @typeParam Busy `'skip'` where the options say so
 */
export type LockMethodDecorator<Key extends string | KeyFunction<never> = string, Busy extends OnBusy = 'throw'> = <
  Method extends AnyMethod,
>(
  target: object,
  propertyKey: PropertyKey,
  descriptor: TypedPropertyDescriptor<Method> & Demand<Key, Method, Busy>,
) => void;

/** Nothing more, or something that no descriptor has and whose text says what is wrong. */
type Demand<Key, Method extends AnyMethod, Busy> =
  IsMisuse<ResultFit<Method>> extends true
    ? ResultFit<Method>
    : IsMisuse<KeyFit<Key, Method>> extends true
      ? KeyFit<Key, Method>
      : IsMisuse<BusyFit<Busy, Method>> extends true
        ? BusyFit<Busy, Method>
        : unknown;

type ResultFit<Method extends AnyMethod> = Method extends (...args: never[]) => infer Result
  ? [Result] extends [PromiseLike<unknown> | Observable<unknown> | AsyncGenerator<unknown, unknown, never>]
    ? 'ok'
    : KeyMisuse<'a locked method must return a promise, an Observable or an AsyncGenerator'>
  : 'ok';

type KeyFit<Key, Method extends AnyMethod> = Key extends string
  ? TemplateFit<Key, Method>
  : Method extends (...args: infer Params) => unknown
    ? [Key] extends [(...args: Params) => string | readonly string[]]
      ? 'ok'
      : KeyMisuse<'the parameters of the key function are not those of the method'>
    : 'ok';

type BusyFit<Busy, Method extends AnyMethod> = [Busy] extends ['skip']
  ? Method extends (...args: never[]) => infer Result
    ? [undefined] extends [Skipped<Result>]
      ? 'ok'
      : KeyMisuse<"with onBusy: 'skip' the result must admit undefined">
    : 'ok'
  : 'ok';

/** Where the `undefined` of a skipped call has to fit in. A generator just ends. */
type Skipped<Result> =
  Result extends AsyncGenerator<unknown, infer Return, never>
    ? Return
    : Result extends PromiseLike<infer Value>
      ? Value
      : Result extends Observable<infer Value>
        ? Value
        : undefined;
