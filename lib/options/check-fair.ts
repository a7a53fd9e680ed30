import { wrongValue } from './check-value.js';
import type { OwnSettings } from './settings.interface.js';

/**
 * For what is granted in the order of arrival anyhow.
 *
 * @throws LockOptionsError
 */
export function checkFair({ fair }: OwnSettings, where: string): void {
  if (fair !== false) return;
  throw wrongValue(fair, 'fair', where, 'this is always granted in the order of arrival; leave the option out');
}
