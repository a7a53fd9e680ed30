import type { LockDecoratorOptions } from '../interfaces/lock-options.interface.js';
import type { KeyFunction } from '../keys/key-function.type.js';
import type { Joined, WellFormedTemplate, WellFormedTemplates } from '../keys/key-template.types.js';
import type { LockMethodDecorator, OnBusy } from './lock-method-decorator.type.js';

type Options<Busy extends OnBusy> = LockDecoratorOptions & { onBusy?: Busy };
type FairOptions<Busy extends OnBusy> = Omit<Options<Busy>, 'fair'>;

/**
 * Makes decorators from a key and options.
 *
 * @throws LockKeyError, LockOptionsError at decoration
 */
export interface LockDecorator {
  /** @param key template such as `'order:<0.id>'`, where `<0>` is the first argument and `<this.field>` a field of the object */
  <const K extends string, Busy extends OnBusy = 'throw'>(
    key: WellFormedTemplate<K>,
    options?: Options<Busy>,
  ): LockMethodDecorator<K, Busy>;
  /** @param keys templates of locks that are held together, all or none; each name counts once */
  <const Ks extends readonly string[], Busy extends OnBusy = 'throw'>(
    keys: WellFormedTemplates<Ks>,
    options?: Options<Busy>,
  ): LockMethodDecorator<Joined<Ks>, Busy>;
  /** @param key function of the arguments that gives one name or several; build them with `lockKey` */
  <Args extends unknown[], Busy extends OnBusy = 'throw'>(
    key: KeyFunction<Args>,
    options?: Options<Busy>,
  ): LockMethodDecorator<KeyFunction<Args>, Busy>;
}

/** The same with a number of permits in front. */
export interface SemaphoreDecorator {
  /** One semaphore for the method, in all classes of this name: `Class.method`. */
  <Busy extends OnBusy = 'throw'>(
    limit: number,
    key?: undefined,
    options?: FairOptions<Busy>,
  ): LockMethodDecorator<string, Busy>;
  /** @param key template such as `'gateway:<0>'`; see `WithLock` */
  <const K extends string, Busy extends OnBusy = 'throw'>(
    limit: number,
    key: WellFormedTemplate<K>,
    options?: FairOptions<Busy>,
  ): LockMethodDecorator<K, Busy>;
  /** @param key function of the arguments; build its result with `lockKey` */
  <Args extends unknown[], Busy extends OnBusy = 'throw'>(
    limit: number,
    key: KeyFunction<Args, string>,
    options?: FairOptions<Busy>,
  ): LockMethodDecorator<KeyFunction<Args>, Busy>;
}
