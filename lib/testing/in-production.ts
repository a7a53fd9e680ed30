import { LockOptionsError } from '../errors/lock-options.error.js';

/** For what excludes nobody outside of this process, or nobody at all. */
export interface ProductionOption {
  /**
   * Work even where `NODE_ENV` is `production`.
   *
   * @default false
   */
  allowInProduction?: boolean;
}

export function inProduction(): boolean {
  return process.env['NODE_ENV'] === 'production';
}

/** @throws LockOptionsError */
export function refuseInProduction(where: string, { allowInProduction = false }: ProductionOption, why: string): void {
  if (typeof allowInProduction !== 'boolean') {
    throw new LockOptionsError(`${where}: allowInProduction must be true or false.`);
  }
  if (!inProduction() || allowInProduction) return;
  throw new LockOptionsError(
    `${where} is for tests: ${why}. NODE_ENV is "production"; where that is what you want, give allowInProduction: true.`,
  );
}
