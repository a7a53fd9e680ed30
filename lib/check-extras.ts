import { LockOptionsError } from './errors/index.js';
import type { RedisLockModuleExtras } from './interfaces/module-options.interface.js';

/** @throws LockOptionsError */
export function checkExtras({ name, isGlobal }: RedisLockModuleExtras, where: string): void {
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new LockOptionsError(
      `${where}: name must be text that is not empty; leave it out for the module without a name.`,
    );
  }
  if (isGlobal !== undefined && typeof isGlobal !== 'boolean') {
    throw new LockOptionsError(`${where}: isGlobal must be true or false.`);
  }
}
