/** What the compiler prints where a key does not fit; never a value. */
export interface KeyMisuse<Message extends string = string> {
  readonly lockKey: Message;
}

/**
 * True where `Result` is a misuse.
 *
 * About the shape of these types: inside a generic class nothing is known about a type parameter, so a plain conditional
 * type over it stays undecided and would refuse every method that has one. With the check wrapped, `{ of: ... }`, the
 * compiler decides by what would hold for `any`, which is "fine". The type parameter of the decorator itself must stay
 * undecided until the method is known; therefore methods and one-element lists are passed on, and never what is in them.
 */
export type IsMisuse<Result> = { of: Result } extends { of: KeyMisuse } ? true : false;

/**
 * A key template whose placeholders are well formed, as far as the text is known to the compiler. For the parameter that
 * takes the template: `key: WellFormedTemplate<K>`.
 */
export type WellFormedTemplate<K extends string> = K &
  (IsMisuse<SyntaxOf<Bodies<K>>> extends true ? SyntaxOf<Bodies<K>> : unknown);

/** The same for a list of templates. */
export type WellFormedTemplates<Ks extends readonly string[]> = Ks & {
  readonly [I in keyof Ks]: WellFormedTemplate<Ks[I]>;
};

/** All templates of a list in one text, to be checked as one. */
export type Joined<Ks extends readonly string[]> = Ks extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? `${First}|${Joined<Rest>}`
  : Ks extends readonly []
    ? ''
    : string;

/**
 * `'ok'`, or the first placeholder of a template that the method cannot fill. Fields of `this` are not looked at, since a
 * decorator does not see the private ones.
 */
export type TemplateFit<K extends string, Method extends AnyMethod> =
  IsMisuse<SyntaxOf<Bodies<K>>> extends true ? SyntaxOf<Bodies<K>> : FitOf<Bodies<K>, Method>;

export type AnyMethod = (...args: never[]) => unknown;

/** Texts between the brackets, in order; `null` for one that is not closed. */
type Bodies<T extends string> = string extends T
  ? []
  : T extends `${infer Before}<${infer After}`
    ? IsEscaped<Before> extends true
      ? Bodies<After>
      : After extends `${infer Body}>${infer Rest}`
        ? [Body, ...Bodies<Rest>]
        : [null]
    : [];

/** True where the text ends in an odd number of backslashes. */
type IsEscaped<Before extends string> = Before extends `${infer More}\\\\`
  ? IsEscaped<More>
  : Before extends `${string}\\`
    ? true
    : false;

type SyntaxOf<List extends unknown[]> = List extends [infer Body, ...infer Rest]
  ? Body extends string
    ? IsMisuse<SyntaxOfBody<Body>> extends true
      ? SyntaxOfBody<Body>
      : SyntaxOf<Rest>
    : KeyMisuse<'a placeholder is not closed'>
  : 'ok';

type SyntaxOfBody<Body extends string> =
  Head<Body> extends 'this'
    ? Tail<Body> extends ''
      ? KeyMisuse<'<this>: name a field, such as <this.tenantId>'>
      : SyntaxOfPath<Tail<Body>, Body>
    : IsIndex<Head<Body>> extends true
      ? SyntaxOfPath<Tail<Body>, Body>
      : KeyMisuse<`<${Body}>: count the parameters from 0, as in <0>`>;

type SyntaxOfPath<Path extends string, Body extends string> = Path extends ''
  ? 'ok'
  : Path extends `.${infer Rest}`
    ? Head<Rest> extends '' | '__proto__' | 'constructor' | 'prototype'
      ? KeyMisuse<`<${Body}>: '${Head<Rest>}' is no field of a value`>
      : SyntaxOfPath<Tail<Rest>, Body>
    : Path extends `[${infer Index}]${infer Rest}`
      ? IsIndex<Index> extends true
        ? SyntaxOfPath<Rest, Body>
        : KeyMisuse<`<${Body}>: '${Index}' is no index`>
      : KeyMisuse<`<${Body}>: write <0.field> or <0[1]>`>;

type FitOf<List extends unknown[], Method extends AnyMethod> = List extends [infer Body extends string, ...infer Rest]
  ? IsMisuse<FitOfBody<Body, Method>> extends true
    ? FitOfBody<Body, Method>
    : FitOf<Rest, Method>
  : 'ok';

type FitOfBody<Body extends string, Method extends AnyMethod> =
  Head<Body> extends 'this'
    ? 'ok'
    : { of: HasParameter<Method, Head<Body>> } extends { of: false }
      ? KeyMisuse<`<${Body}>: the method has no parameter ${Head<Body>}`>
      : FitOfPath<[Parameter<Method, Head<Body>>], Tail<Body>, Body>;

type HasParameter<Method, Index extends string> = Method extends (...args: infer P) => unknown
  ? [Index] extends [keyof P]
    ? true
    : [number] extends [P['length']]
      ? true
      : false
  : true;

type Parameter<Method, Index extends string> = Method extends (...args: infer P) => unknown
  ? Index extends keyof P
    ? P[Index]
    : P[number]
  : never;

/** @typeParam Of one-element list of the value that the path starts at */
type FitOfPath<Of extends [unknown], Path extends string, Body extends string> = Path extends ''
  ? 'ok'
  : Path extends `.${infer Rest}`
    ? { of: HasField<Of, Head<Rest>> } extends { of: false }
      ? KeyMisuse<`<${Body}>: there is no field '${Head<Rest>}'`>
      : FitOfPath<[Field<Of, Head<Rest>>], Tail<Rest>, Body>
    : Path extends `[${infer Index}]${infer Rest}`
      ? { of: HasElement<Of, Index> } extends { of: false }
        ? KeyMisuse<`<${Body}>: there is no element ${Index}`>
        : FitOfPath<[Element<Of, Index>], Rest, Body>
      : 'ok';

/** As the run time looks for fields: text, numbers, lists and functions have none. */
type HasField<Of extends [unknown], Name extends string> = Of extends [unknown]
  ? IsAny<Of[0]> extends true
    ? true
    : [NonNullable<Of[0]>] extends [Fieldless]
      ? false
      : [Name] extends [keyof NonNullable<Of[0]>]
        ? true
        : false
  : true;

type Field<Of extends [unknown], Name extends string> = Name extends keyof NonNullable<Of[0]>
  ? NonNullable<Of[0]>[Name]
  : never;

type HasElement<Of extends [unknown], Index extends string> = Of extends [unknown]
  ? IsAny<Of[0]> extends true
    ? true
    : [Index] extends [keyof NonNullable<Of[0]>]
      ? true
      : [NonNullable<Of[0]>] extends [readonly unknown[]]
        ? [number] extends [NonNullable<Of[0]>['length']]
          ? true
          : false
        : [NonNullable<Of[0]>] extends [string]
          ? false
          : [number] extends [keyof NonNullable<Of[0]>]
            ? true
            : false
  : true;

type Element<Of extends [unknown], Index extends string> = Index extends keyof NonNullable<Of[0]>
  ? NonNullable<Of[0]>[Index]
  : number extends keyof NonNullable<Of[0]>
    ? NonNullable<Of[0]>[number]
    : never;

type Fieldless = string | number | bigint | boolean | symbol | readonly unknown[] | ((...args: never[]) => unknown);

type IsAny<Value> = [0] extends [1 & Value] ? true : false;

/** Text in front of the first `.` or `[`. */
type Head<Path extends string> = Path extends `${infer A}.${string}`
  ? A extends `${infer B}[${string}`
    ? B
    : A
  : Path extends `${infer B}[${string}`
    ? B
    : Path;

/** What follows the head, with its `.` or `[`. */
type Tail<Path extends string> = Path extends `${Head<Path>}${infer Rest}` ? Rest : '';

type IsIndex<Text extends string> = Text extends `-${string}`
  ? false
  : Text extends `${infer N extends number}`
    ? number extends N
      ? false
      : true
    : false;
