import { staleWriteRefused } from '../verdicts.mjs';
import { waitForWaiter } from './wait-for-waiter.mjs';

/** @import { Scene } from './scene.mjs' */

const ACCOUNT = 'savings';
const SECTION = `ledger:${ACCOUNT}`;

/**
 * Freezes one process of the fleet for longer than its lease.
 *
 * @param {Scene} scene
 */
export async function frozen({ fleet, journals, report }) {
  report.chapter('SIGSTOP: a holder freezes just before it writes, and wakes when its lease is over');
  const [next, late] = fleet.processes;
  if (!next || !late) throw new Error('too few processes');
  const path = `/ledger/${ACCOUNT}/entries`;
  const tooLate = late.post(path, {
    text: 'from the past',
    takes: 150,
    careless: true,
  });
  await journals.waitFor(SECTION, 'enter', late.pid);
  late.signal('SIGSTOP');
  const inTime = next.post(path, { text: 'from now' });
  await waitForWaiter(next, SECTION);
  await inTime;
  late.signal('SIGCONT');
  const { status } = await tooLate;
  const entries = journals.read(SECTION);
  const write = entries.find(({ pid, event }) => pid === late.pid && ['stored', 'refused'].includes(event));
  report.check(
    'its late write is refused by the fence',
    staleWriteRefused(entries, { late: late.pid, next: next.pid }),
  );
  report.check('lease.held is false when it wakes', {
    ok: write?.['held'] === false,
    figures: `held: ${String(write?.['held'])}; its client got HTTP ${status}`,
  });
  const { body } = await next.get(path);
  report.check('the ledger has the one entry', {
    ok: Array.isArray(body) && body.join() === 'from now',
    figures: JSON.stringify(body),
  });
}
