import { crowd } from '../timeline.mjs';
import { fencesRise, moneyComplete, oneAtATime, sectionsOf } from '../verdicts.mjs';
import { AMOUNT, payAll, PAYMENTS } from './pay-all.mjs';

/** @import { Scene } from './scene.mjs' */

const SHOWN = 20;

/** @param {Scene} scene */
export async function money({ fleet, journals, report }) {
  report.chapter(`@WithLock('order:<0>'): the same ${PAYMENTS} payments`);
  report.legend('One lane per process. █ one is inside, a digit: so many at once, · nobody');
  const { paid } = await payAll(fleet, '42');
  const sections = sectionsOf(journals.read(), 'order:42');
  report.timeline(sections, fleet.pids, { mark: crowd, most: SHOWN });
  report.check('no payment is lost', moneyComplete(PAYMENTS * AMOUNT, paid));
  report.check('one payment at a time', oneAtATime(sections, PAYMENTS));
  report.check('fences rise', fencesRise(sections));
}
