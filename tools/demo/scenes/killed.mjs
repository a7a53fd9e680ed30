import { crowd } from '../timeline.mjs';
import { passedOnAfterLease, sectionsOf } from '../verdicts.mjs';
import { waitForWaiter } from './wait-for-waiter.mjs';

/** @import { Scene } from './scene.mjs' */

const ACCOUNT = 'rent';
const SECTION = `ledger:${ACCOUNT}`;
const LEASE = 1_500;

/**
 * Ends one process of the fleet.
 *
 * @param {Scene} scene
 */
export async function killed({ fleet, journals, report, redis }) {
  report.chapter(`SIGKILL: a holder with a lease of ${LEASE} ms dies, another process waits`);
  const [next, , holder] = fleet.processes;
  if (!next || !holder) throw new Error('too few processes');
  const lost = holder.post(`/ledger/${ACCOUNT}/entries`, {
    text: 'never written',
    takes: 30_000,
  });
  await journals.waitFor(SECTION, 'enter', holder.pid);
  const answer = next.post(`/ledger/${ACCOUNT}/entries`, {
    text: 'written',
    takes: 100,
  });
  await waitForWaiter(next, SECTION);
  const rest = Number(await redis.cli('PTTL', `lock:${SECTION}`));
  const killedAt = Number(process.hrtime.bigint()) / 1e6;
  holder.signal('SIGKILL');
  const left = rest > 0 ? `${rest} ms of its lease left` : 'no lease';
  report.note(`process ${holder.pid} killed with ${left}`);
  await Promise.all([answer, lost]);
  const sections = sectionsOf(journals.read(), SECTION);
  const first = sections.find(({ pid }) => pid === holder.pid);
  const second = sections.find(({ pid }) => pid === next.pid);
  const ended = sections.map((section) => (section === first ? { ...section, leave: killedAt } : section));
  report.timeline(ended, [holder.pid, next.pid], { mark: crowd });
  report.check(
    'the lock passes on when the lease ends',
    passedOnAfterLease({
      holder: first,
      next: second,
      killedAt,
      lease: LEASE,
    }),
  );
}
