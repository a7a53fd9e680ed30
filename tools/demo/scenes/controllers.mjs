import { oneAtATime, sectionsOf } from '../verdicts.mjs';

/** @import { Scene } from './scene.mjs' */

const REQUESTS = 9;
const TAKES = { takes: 25 };

/** @param {Scene} scene */
export async function controllers({ fleet, journals, report }) {
  report.chapter('Locks on controllers');
  await Promise.all([
    fleet.volley(REQUESTS, (one) => one.post('/stock/A-1/counts', TAKES)),
    fleet.volley(REQUESTS, (one, arrival) =>
      arrival % 2 === 0
        ? one.post('/tenants/acme/imports', TAKES)
        : one.post('/tenants/acme/settings', TAKES, { method: 'PUT' }),
    ),
  ]);
  const entries = journals.read();
  report.check('@WithLock on a handler', oneAtATime(sectionsOf(entries, 'stock:A-1'), REQUESTS));
  report.check('LockInterceptor on a controller', oneAtATime(sectionsOf(entries, 'tenant:acme'), REQUESTS));
}
