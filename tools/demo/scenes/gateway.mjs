import { count } from '../timeline.mjs';
import { neverMoreThan, sectionsOf } from '../verdicts.mjs';

/** @import { Scene } from './scene.mjs' */

const CHARGES = 18;
const LIMIT = 3;

/** @param {Scene} scene */
export async function gateway({ fleet, journals, report }) {
  report.chapter(`@Semaphore(${LIMIT}, 'gateway:<0>'): ${CHARGES} charges at once`);
  report.legend('A digit: so many inside');
  await fleet.volley(CHARGES, (one, arrival) =>
    one.post('/gateways/visa/charges', { amount: 9.5, takes: 60 }, { arrival }),
  );
  const sections = sectionsOf(journals.read(), 'gateway:visa');
  report.timeline(sections, fleet.pids, { mark: count, total: count });
  report.check(`never more than ${LIMIT} at once`, neverMoreThan(sections, LIMIT, CHARGES));
}
