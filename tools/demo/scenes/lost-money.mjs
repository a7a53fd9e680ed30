import { mostAtOnce, sectionsOf } from '../verdicts.mjs';
import { crowd } from '../timeline.mjs';
import { AMOUNT, payAll, PAYMENTS } from './pay-all.mjs';

/** @import { Scene } from './scene.mjs' */

/**
 * Locks off: shows that the race is real.
 *
 * @param {Scene} scene
 */
export async function lostMoney({ fleet, journals, report }) {
  report.chapter(`Locks off: ${PAYMENTS} payments of ${AMOUNT} for one order, at once, to three processes`);
  report.legend('One lane per process. █ one is inside, a digit: so many at once, · nobody');
  const { paid, accepted } = await payAll(fleet, '41');
  const sections = sectionsOf(journals.read(), 'order:41');
  report.timeline(sections, fleet.pids, { mark: crowd });
  const expected = accepted * AMOUNT;
  report.check('without a lock money gets lost', {
    ok: accepted === PAYMENTS && paid < expected,
    figures: `${expected} paid in, ${paid} on the account, ${expected - paid} lost; ${mostAtOnce(sections)} at once`,
  });
}
