/* eslint-disable @typescript-eslint/no-unused-vars, @typescript-eslint/no-explicit-any -- compiled, never run */
import { EMPTY, type Observable } from 'rxjs';
import { Locked, type Order } from './stand-ins.js';

/* Methods that can be locked, and methods that cannot. */

export class Results {
  @Locked('k')
  async promise() {}

  @Locked('k')
  thenable(): PromiseLike<number> {
    return Promise.resolve(1);
  }

  @Locked('k')
  observable(): Observable<number> {
    return EMPTY;
  }

  @Locked('k')
  async *generator() {
    yield 1;
  }

  @Locked('k')
  iterable(): AsyncIterable<number> {
    return this.generator();
  }

  @Locked('k')
  anything(): any {}

  @Locked('k')
  either(): Promise<number> | Observable<number> {
    return EMPTY;
  }

  @Locked('k')
  never(): never {
    throw new Error();
  }

  // @ts-expect-error there is nothing to hold the lock for
  @Locked('k')
  nothing() {}

  // @ts-expect-error there is nothing to hold the lock for
  @Locked('k')
  value() {
    return 1;
  }

  // @ts-expect-error not in every case
  @Locked('k')
  sometimes(): Promise<number> | number {
    return 1;
  }

  // @ts-expect-error an ordinary generator
  @Locked('k')
  *plainGenerator() {
    yield 1;
  }
}

export class Visibility {
  @Locked('k:<0>')
  protected async inherited(id: string) {}

  @Locked('k:<0>')
  private async hidden(id: string) {}

  // @ts-expect-error checked like a public one
  @Locked('k:<1>')
  private async hiddenWrong(id: string) {}

  @Locked('k:<0>')
  static async ofClass(id: string) {}

  @Locked('k:<0>')
  async ['computed name'](id: string) {}

  @Locked('k:<0>')
  async withThis(this: Visibility, id: string) {
    return this.hidden(id);
  }

  // @ts-expect-error not a method
  @Locked('k')
  property = 1;

  // @ts-expect-error not a method
  @Locked('k')
  get accessor() {
    return 1;
  }
}

export class Skipping {
  @Locked('k', { onBusy: 'skip' })
  async nothing() {}

  @Locked('k', { onBusy: 'skip' })
  async maybe(): Promise<number | undefined> {
    return 1;
  }

  @Locked('k', { onBusy: 'skip' })
  stream(): Observable<number | undefined> {
    return EMPTY;
  }

  @Locked('k', { onBusy: 'skip' })
  async *generator() {
    yield 1;
  }

  @Locked('k', { onBusy: 'skip' })
  anything(): any {}

  @Locked('k', { onBusy: 'throw' })
  async throwing() {
    return 1;
  }

  // @ts-expect-error a skipped call gives undefined
  @Locked('k', { onBusy: 'skip' })
  async always() {
    return 1;
  }

  // @ts-expect-error a skipped call emits undefined
  @Locked('k', { onBusy: 'skip' })
  numbers(): Observable<number> {
    return EMPTY;
  }

  // @ts-expect-error checked for key functions too
  @Locked((id: string) => id, { onBusy: 'skip' })
  async withFunction(id: string) {
    return id;
  }
}

export class KeyFunctions {
  @Locked((id: string) => id)
  async same(id: string) {}

  @Locked((order: { id: string }) => order.id)
  async wider(order: Order, more: number) {}

  @Locked(() => 'k')
  async none(id: string) {}

  @Locked((...ids: string[]) => ids.join())
  async rest(...ids: string[]) {}

  @Locked((order: any) => String(order.id))
  async anything(order: Order) {}

  // @ts-expect-error another type
  @Locked((id: number) => String(id))
  async other(id: string) {}

  // @ts-expect-error may be undefined
  @Locked((id: string) => id)
  async optional(id?: string) {}

  // @ts-expect-error there is no second parameter
  @Locked((id: string, line: number) => `${id}:${line}`)
  async more(id: string) {}

  // @ts-expect-error the key is text
  @Locked((id: number) => id)
  async noText(id: number) {}

  // @ts-expect-error the key is there at once
  @Locked(async (id: string) => id)
  async later(id: string) {}
}

export class Generic<T extends { id: string }> {
  @Locked((entity: { id: string }) => entity.id)
  async ofClass(entity: T) {}

  @Locked((entity: Order) => entity.id)
  async ofMethod<U extends Order>(entity: U) {}

  @Locked('k', { onBusy: 'skip' })
  async maybe(): Promise<T | undefined> {
    return undefined;
  }

  // @ts-expect-error there is nothing to hold the lock for
  @Locked('k')
  sync(entity: T) {
    return [entity];
  }
}
