import type { KeyFunction } from '../../lib/keys/key-function.type.js';
import type { WellFormedTemplate } from '../../lib/keys/key-template.types.js';
import type { LockMethodDecorator, OnBusy } from '../../lib/decorators/lock-method-decorator.type.js';

/** A decorator as the library declares them, without a body: these files are compiled, never run. */
export declare function Locked<const K extends string, B extends OnBusy = 'throw'>(
  key: WellFormedTemplate<K>,
  options?: { ttl?: number; onBusy?: B },
): LockMethodDecorator<K, B>;
export declare function Locked<A extends unknown[], B extends OnBusy = 'throw'>(
  key: KeyFunction<A>,
  options?: { ttl?: number; onBusy?: B },
): LockMethodDecorator<KeyFunction<A>, B>;

export interface Order {
  id: string;
  at: Date;
  customer: { id: number; tags: string[] } | null;
  lines?: { sku: string }[];
  extra: Record<string, string>;
}
