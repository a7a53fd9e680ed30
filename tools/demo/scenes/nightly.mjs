import { FLEET_SIZE, NIGHTLY_EVERY } from '../fleet.mjs';
import { oncePerTick } from '../verdicts.mjs';
import { waitFor } from '../wait.mjs';

/** @import { Scene } from './scene.mjs' */

const PERIOD = NIGHTLY_EVERY * 1000;
const TICKS = 3;
/** By then a tick is over in all processes. */
const SETTLED = 700;

/** @param {Scene} scene */
export async function nightly({ fleet, journals, report }) {
  report.chapter(`@Cron with @WithLock('nightly-report', { onBusy: 'skip' }), every ${NIGHTLY_EVERY} s for this once`);
  const from = fleet.readyAt;
  await waitFor('the clock', () => Date.now() > from + TICKS * PERIOD + SETTLED, (TICKS + 1) * PERIOD + SETTLED);
  report.check(
    'one run per tick in all processes',
    oncePerTick(journals.read(), {
      section: 'nightly-report',
      period: PERIOD,
      from,
      until: Date.now() - SETTLED,
      processes: FLEET_SIZE,
    }),
  );
}
