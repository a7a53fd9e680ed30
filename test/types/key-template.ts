/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-explicit-any -- compiled, never run */
import { WithLock } from 'nestjs-redis-lock';
import type { Order } from './order.js';

/* Templates that fit their method, and templates that do not. */

export class Fields {
  @WithLock('order:<0.id>')
  async field(order: Order) {}

  // @ts-expect-error no field of that name
  @WithLock('order:<0.idd>')
  async missingField(order: Order) {}

  @WithLock('order:<0.customer.id>:<0.lines[0].sku>:<0.customer.tags[1]>')
  async throughNullAndOptional(order: Order) {}

  // @ts-expect-error the second path leads nowhere, whatever the first does
  @WithLock('order:<0.id>:<0.customer.idd>')
  async secondPathMissing(order: Order) {}

  // @ts-expect-error an object is not a list
  @WithLock('order:<0[0]>')
  async noList(order: Order) {}

  // @ts-expect-error the elements of a list need an index
  @WithLock('order:<0.lines.sku>')
  async noIndex(order: Order) {}

  @WithLock('order:<0.extra.anything>')
  async indexSignature(order: Order) {}

  @WithLock('order:<0.at>')
  async date(order: Order) {}

  // @ts-expect-error a date has no such field
  @WithLock('order:<0.at.year>')
  async fieldOfDate(order: Order) {}

  // @ts-expect-error text has no fields, not even its length
  @WithLock('order:<0.length>')
  async lengthOfText(id: string) {}

  // @ts-expect-error a list has elements and no fields, not even its length
  @WithLock('order:<0.length>')
  async lengthOfList(ids: string[]) {}

  @WithLock('box:<0.length>')
  async ownLength(box: { length: number }) {}

  @WithLock('pair:<0[1]>')
  async tuple(pair: [string, number]) {}

  // @ts-expect-error the tuple is shorter
  @WithLock('pair:<0[2]>')
  async shortTuple(pair: [string, number]) {}

  @WithLock('x:<0.a-b.$c._d>')
  async unusualNames(x: { 'a-b': { $c: { _d: string } } }) {}
}

export class Parameters {
  @WithLock('order:<0>:<1>')
  async two(id: string, line: number) {}

  // @ts-expect-error there are two parameters
  @WithLock('order:<2>')
  async third(id: string, line: number) {}

  // @ts-expect-error there is no parameter
  @WithLock('order:<0>')
  async none() {}

  @WithLock('order:<0>:<1>')
  async optional(id?: string, line = 1) {}

  @WithLock('order:<0.id>')
  async optionalObject(order?: Order | null) {}

  @WithLock('order:<0>:<7>')
  async rest(...ids: string[]) {}

  @WithLock('order:<0.whatever.it[3].is>')
  async anything(order: any) {}

  // @ts-expect-error nothing is known about it
  @WithLock('order:<0.id>')
  async unknownThing(order: unknown) {}

  @WithLock('order:<0.id>')
  async union(order: Order | { id: number; other: string }) {}

  // @ts-expect-error not every member has it
  @WithLock('order:<0.at>')
  async partOfUnion(order: Order | { id: number }) {}

  @WithLock('tenant:<this.tenant.id>:<0>')
  async self(id: string) {}

  @WithLock('nightly')
  async fixed() {}
}

export class Syntax {
  // @ts-expect-error names of parameters
  @WithLock('order:<order.id>')
  async name(order: Order) {}

  // @ts-expect-error not closed
  @WithLock('order:<0')
  async open(id: string) {}

  // @ts-expect-error empty
  @WithLock('order:<>')
  async empty(id: string) {}

  // @ts-expect-error counted from 0
  @WithLock('order:<-1>')
  async negative(id: string) {}

  // @ts-expect-error empty step
  @WithLock('order:<0..a>')
  async step(order: any) {}

  // @ts-expect-error not a field
  @WithLock('order:<0.constructor>')
  async inherited(order: any) {}

  // @ts-expect-error not a field
  @WithLock('order:<0.a.__proto__>')
  async proto(order: any) {}

  // @ts-expect-error not an index
  @WithLock('order:<0[x]>')
  async index(order: any) {}

  // @ts-expect-error the instance itself is no key
  @WithLock('order:<this>')
  async instance() {}

  @WithLock('a > b \\<not a placeholder> \\\\<0>')
  async escaped(id: string) {}

  // @ts-expect-error two backslashes are a literal one, so this is a placeholder
  @WithLock('\\\\<5>')
  async evenBackslashes(id: string) {}
}

const computed: string = ['order', '<9>'].join(':');
const pattern = `order:${computed}` as const;

export class Unchecked {
  @WithLock(computed)
  async plainText(id: string) {}

  @WithLock(pattern)
  async patternText(id: string) {}
}

export abstract class Repository<T extends { id: string }, U> {
  @WithLock('entity:<0.id>:<1>:<2.id>')
  async ofClass(entity: T, other: U, more: Partial<T>): Promise<T> {
    return entity;
  }

  @WithLock('entity:<0.id>:<1>')
  async ofMethod<V extends Order, W>(entity: V, other: W): Promise<V> {
    return entity;
  }

  // @ts-expect-error what the type parameter promises has no such field
  @WithLock('entity:<0.idd>')
  async missingOfMethod<V extends Order>(entity: V): Promise<V> {
    return entity;
  }

  // @ts-expect-error a type parameter elsewhere hides nothing
  @WithLock('entity:<1.idd>')
  async besideTypeParameter(entity: T, order: Order): Promise<T> {
    return entity;
  }

  // @ts-expect-error there is one parameter
  @WithLock('entity:<1>')
  async tooFew(entity: T): Promise<T> {
    return entity;
  }
}
