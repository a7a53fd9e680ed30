import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const committed = new Map<string, number>();
const writes = new AsyncLocalStorage<Map<string, number>>();

/** A table that other transactions see change at the commit only, as with READ COMMITTED. */
export const counters = {
  read: (id: string): number => writes.getStore()?.get(id) ?? committed.get(id) ?? 0,
  write: (id: string, value: number): void => void writes.getStore()?.set(id, value),
};

/** Like the decorators of TypeORM's and Prisma's companions: begins before the method and commits behind it. */
export function Transactional() {
  return (_target: object, _key: string, descriptor: PropertyDescriptor): void => {
    const method = descriptor.value as (...args: unknown[]) => Promise<unknown>;
    const inTransaction = function (this: unknown, ...args: unknown[]): Promise<unknown> {
      const own = new Map<string, number>();
      return writes.run(own, async () => {
        const result = await method.apply(this, args);
        await sleep(50); // The commit takes its time.
        for (const [id, value] of own) committed.set(id, value);
        return result;
      });
    };
    descriptor.value = Object.setPrototypeOf(inTransaction, method);
  };
}
