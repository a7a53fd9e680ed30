import { FairLock, Semaphore, WithLock } from 'nestjs-redis-lock';

/** What a fixture puts above and below all other decorators of its methods. */
export interface Variant {
  name: string;
  above: MethodDecorator;
  below: MethodDecorator;
  /** How many calls with one key may run at once. */
  limit: number;
  /** Requests to Redis of one call that nobody is in the way of: to acquire, and to release. */
  scripts: number;
}

/** More callers than any of the variants lets in, except the one without a lock. */
export const CROWD = 5;

const nothing: MethodDecorator = () => undefined;

const above = (name: string, lock: unknown): Variant => ({
  name: `${name} above`,
  above: lock as MethodDecorator,
  below: nothing,
  limit: 1,
  scripts: 2,
});

const below = (name: string, lock: unknown): Variant => ({
  ...above(name, lock),
  name: `${name} below`,
  above: nothing,
  below: lock as MethodDecorator,
});

/** The same methods without a lock, and with one on either side. */
export function variants(key: string | ((...args: never[]) => string)): Variant[] {
  // The methods differ, so that the compiler cannot check a template against them.
  const any = key as string;
  return [
    { name: 'no lock', above: nothing, below: nothing, limit: CROWD, scripts: 0 },
    above('@WithLock', WithLock(any)),
    below('@WithLock', WithLock(any)),
    above('@FairLock', FairLock(any)),
    { ...below('@Semaphore', Semaphore(2, any)), limit: 2 },
  ];
}
