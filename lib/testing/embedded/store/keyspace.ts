import { ErrorReply } from '../resp/reply.js';
import { SortedSet } from './sorted-set.js';

/** What a key can hold, by the name that TYPE gives it. */
export interface ValueTypes {
  string: string;
  hash: Map<string, string>;
  list: string[];
  zset: SortedSet;
}

export type ValueType = keyof ValueTypes;

/** One key: a value and the moment at which it ends, in ms of the server's clock. */
export interface Entry<T extends ValueType = ValueType> {
  readonly type: T;
  value: ValueTypes[T];
  expiresAt: number | undefined;
}

const EMPTY: { [T in ValueType]: () => ValueTypes[T] } = {
  string: () => '',
  hash: () => new Map(),
  list: () => [],
  zset: () => new SortedSet(),
};

/** The keys of one database. A key that has expired is not there; it is taken out when somebody asks for it. */
export class Keyspace {
  private readonly entries = new Map<string, Entry>();

  /** @param now of the server's clock, ms */
  constructor(private readonly now: () => number) {}

  get(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (entry?.expiresAt === undefined || entry.expiresAt >= this.now()) return entry;
    this.entries.delete(key);
    return undefined;
  }

  /** @throws ErrorReply when the key holds something else */
  read<T extends ValueType>(key: string, type: T): ValueTypes[T] | undefined {
    return this.typed(key, type)?.value;
  }

  /**
   * Changes what a key holds, beginning with nothing where it is missing. A collection that ends up empty is no key.
   *
   * @throws ErrorReply when the key holds something else
   */
  edit<T extends Exclude<ValueType, 'string'>, R>(key: string, type: T, change: (value: ValueTypes[T]) => R): R {
    const entry = this.typed(key, type) ?? { type, value: EMPTY[type](), expiresAt: undefined };
    const result = change(entry.value);
    if (sizeOf(entry.value) === 0) this.entries.delete(key);
    else this.entries.set(key, entry);
    return result;
  }

  put(key: string, value: string, expiresAt?: number): void {
    this.entries.set(key, { type: 'string', value, expiresAt });
  }

  delete(key: string): boolean {
    return this.get(key) !== undefined && this.entries.delete(key);
  }

  keys(): string[] {
    return [...this.entries.keys()].filter((key) => this.get(key) !== undefined);
  }

  clear(): void {
    this.entries.clear();
  }

  private typed<T extends ValueType>(key: string, type: T): Entry<T> | undefined {
    const entry = this.get(key);
    if (entry && entry.type !== type) {
      throw new ErrorReply('WRONGTYPE Operation against a key holding the wrong kind of value');
    }
    return entry as Entry<T> | undefined;
  }
}

function sizeOf(value: ValueTypes[Exclude<ValueType, 'string'>]): number {
  return Array.isArray(value) ? value.length : value.size;
}
