/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-explicit-any -- compiled, never run */
import { EMPTY, type Observable } from 'rxjs';
import { WithLock } from 'nestjs-redis-lock';
import type { Order } from './order.js';

/* Methods that can be locked, and methods that cannot. */

export class Results {
  @WithLock('k')
  async promise() {}

  @WithLock('k')
  thenable(): PromiseLike<number> {
    return Promise.resolve(1);
  }

  @WithLock('k')
  observable(): Observable<number> {
    return EMPTY;
  }

  @WithLock('k')
  async *generator() {
    yield 1;
  }

  @WithLock('k')
  async *declared(): AsyncGenerator<number> {
    yield 1;
  }

  // @ts-expect-error cannot be told from a promise when it runs
  @WithLock('k')
  iterable(): AsyncIterable<number> {
    return this.generator();
  }

  @WithLock('k')
  anything(): any {}

  @WithLock('k')
  either(): Promise<number> | Observable<number> {
    return EMPTY;
  }

  @WithLock('k')
  never(): never {
    throw new Error();
  }

  // @ts-expect-error there is nothing to hold the lock for
  @WithLock('k')
  nothing() {}

  // @ts-expect-error there is nothing to hold the lock for
  @WithLock('k')
  value() {
    return 1;
  }

  // @ts-expect-error not in every case
  @WithLock('k')
  sometimes(): Promise<number> | number {
    return 1;
  }

  // @ts-expect-error an ordinary generator
  @WithLock('k')
  *plainGenerator() {
    yield 1;
  }
}

export class Visibility {
  @WithLock('k:<0>')
  protected async inherited(id: string) {}

  @WithLock('k:<0>')
  private async hidden(id: string) {}

  // @ts-expect-error checked like a public one
  @WithLock('k:<1>')
  private async hiddenWrong(id: string) {}

  @WithLock('k:<0>')
  static async ofClass(id: string) {}

  @WithLock('k:<0>')
  async ['computed name'](id: string) {}

  @WithLock('k:<0>')
  async withThis(this: Visibility, id: string) {
    return this.hidden(id);
  }

  // @ts-expect-error not a method
  @WithLock('k')
  property = 1;

  // @ts-expect-error not a method
  @WithLock('k')
  get accessor() {
    return 1;
  }
}

export class Skipping {
  @WithLock('k', { onBusy: 'skip' })
  async nothing() {}

  @WithLock('k', { onBusy: 'skip' })
  async maybe(): Promise<number | undefined> {
    return 1;
  }

  @WithLock('k', { onBusy: 'skip' })
  stream(): Observable<number | undefined> {
    return EMPTY;
  }

  @WithLock('k', { onBusy: 'skip' })
  async *generator() {
    yield 1;
  }

  @WithLock('k', { onBusy: 'skip' })
  anything(): any {}

  @WithLock('k', { onBusy: 'throw' })
  async throwing() {
    return 1;
  }

  // @ts-expect-error a skipped call gives undefined
  @WithLock('k', { onBusy: 'skip' })
  async always() {
    return 1;
  }

  // @ts-expect-error a skipped call emits undefined
  @WithLock('k', { onBusy: 'skip' })
  numbers(): Observable<number> {
    return EMPTY;
  }

  // @ts-expect-error checked for key functions too
  @WithLock((id: string) => id, { onBusy: 'skip' })
  async withFunction(id: string) {
    return id;
  }
}

export class KeyFunctions {
  @WithLock((id: string) => id)
  async same(id: string) {}

  @WithLock((order: { id: string }) => order.id)
  async wider(order: Order, more: number) {}

  @WithLock(() => 'k')
  async none(id: string) {}

  @WithLock((...ids: string[]) => ids.join())
  async rest(...ids: string[]) {}

  @WithLock((order: any) => String(order.id))
  async anything(order: Order) {}

  // @ts-expect-error another type
  @WithLock((id: number) => String(id))
  async other(id: string) {}

  // @ts-expect-error may be undefined
  @WithLock((id: string) => id)
  async optional(id?: string) {}

  // @ts-expect-error there is no second parameter
  @WithLock((id: string, line: number) => `${id}:${line}`)
  async more(id: string) {}

  // @ts-expect-error the key is text
  @WithLock((id: number) => id)
  async noText(id: number) {}

  // @ts-expect-error the key is there at once
  @WithLock(async (id: string) => id)
  async later(id: string) {}
}

export class Generic<T extends { id: string }> {
  @WithLock((entity: { id: string }) => entity.id)
  async ofClass(entity: T) {}

  @WithLock((entity: Order) => entity.id)
  async ofMethod<U extends Order>(entity: U) {}

  @WithLock('k', { onBusy: 'skip' })
  async maybe(): Promise<T | undefined> {
    return undefined;
  }

  // @ts-expect-error there is nothing to hold the lock for
  @WithLock('k')
  sync(entity: T) {
    return [entity];
  }
}
