import { LockBusyError } from 'nestjs-redis-lock';
import { setTimeout as sleep } from 'node:timers/promises';

export async function retry<T>(attempts: number, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      // It has waited in line for the whole of `wait`. Whoever comes again goes to the end of the line.
      if (error instanceof LockBusyError || attempt === attempts) throw error;
      await sleep(50 * 2 ** attempt);
    }
  }
}
