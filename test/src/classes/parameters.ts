import { Injectable } from '@nestjs/common';
import { currentLease, WithLock } from 'nestjs-redis-lock';

const key = (): string | undefined => currentLease()?.key;

/** As decorators for transactions, caches and traces do: leaves neither names nor number of the parameters. */
export function Wrapped(_target: object, _key: PropertyKey, descriptor: PropertyDescriptor): void {
  const original = descriptor.value as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(original, this, args);
  };
}

interface User {
  id: string;
  name?: string;
}

/** Signatures whose text tells nothing, or something wrong, of the parameters. */
@Injectable()
export class Parameters {
  @WithLock('user:<0.id>')
  async destructured({ id: _renamed, name: _name = 'a, b' }: User, _x = Math.max(1, 2)): Promise<string | undefined> {
    return key();
  }

  @WithLock('user:<0.id>:<1>')
  @Wrapped
  async aboveWrapper(_user: User, _part: string): Promise<string | undefined> {
    return key();
  }

  @Wrapped
  @WithLock('user:<0.id>:<1>')
  async belowWrapper(/* part, user */ _user: User, _part: string): Promise<string | undefined> {
    return key();
  }

  @WithLock('user:<1>')
  async rest(..._ids: string[]): Promise<string | undefined> {
    return key();
  }

  @WithLock('user:<0>')
  async defaulted(_id = 'default'): Promise<string | undefined> {
    return key();
  }
}
