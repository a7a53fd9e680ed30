import { LockService } from '../../lock.service.js';
import { DEFAULT_SETTINGS } from '../../options/defaults.js';
import { SILENCE } from '../../silence.js';
import { refuseInProduction, type ProductionOption } from '../in-production.js';
import { PassThroughEngine } from './pass-through-engine.js';

/**
 * A `LockService` for tests that are not about locks: every section runs at once, whoever else is in it. Names and options are
 * checked as always, and calls within a section share its lease as always. Its leases are held until they are released and
 * never lost, their fences rise by one from 1; nothing connects, and no timer is set.
 *
 * @example
 * ```ts
 * const orders = bindLockService(new OrderService(bank), passThroughLockService());
 * ```
 * @throws LockOptionsError where `NODE_ENV` is `production`, unless `allowInProduction` is set
 * @publicApi
 */
export function passThroughLockService(options: ProductionOption = {}): LockService {
  refuseInProduction('passThroughLockService', options, 'it excludes nobody');
  return new LockService(new PassThroughEngine(), DEFAULT_SETTINGS, SILENCE);
}
