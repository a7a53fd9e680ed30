import type { Attempt } from '../history/attempt.js';
import type { History } from '../history/history.js';
import type { Checker, Finding } from './checker.js';
import { afterStandstills, endOf, SLACK } from './excuses.js';

/**
 * Work that goes on is told of the loss of its lock: when its own deadline has come, and at the latest one lease after the
 * server took the lock away.
 */
export const loss: Checker = {
  name: 'loss',
  always: true,
  *check(history) {
    const endedAt = new Map(history.ownerships.map(({ token, to }) => [token, to]));
    for (const attempt of history.attempts) {
      if (attempt.enteredAt === undefined || attempt.abandons || wasSetForward(history, attempt)) continue;
      yield* late(history, attempt, attempt.believedUntil ?? Infinity, 'its deadline');
      const taken = endedAt.get(attempt.token ?? '') ?? Infinity;
      yield* late(history, attempt, taken + Math.max(attempt.ttl, attempt.minHold), 'the server took it away');
    }
  },
};

function* late(history: History, attempt: Attempt, due: number, why: string): Iterable<Finding> {
  const { id, client, leftAt = Infinity, lostAt = Infinity } = attempt;
  const allowed = afterStandstills(history, client, due) + SLACK;
  const end = Math.min(leftAt, endOf(history, client));
  if (end <= allowed || lostAt <= allowed) return;
  const when = lostAt === Infinity ? 'never' : `at ${lostAt.toFixed(1)}`;
  yield { at: due, what: `${id} was told of its loss ${when}; ${why}, ${due.toFixed(1)}`, attempts: [id] };
}

/** Its deadline is then in the past at once; the timers only find out when they are due. */
function wasSetForward({ disturbances }: History, { client, enteredAt = 0, leftAt = Infinity }: Attempt): boolean {
  return disturbances.some(
    (it) => it.fault === 'wall-clock' && it.client === client && it.from >= enteredAt && it.from <= leftAt,
  );
}
