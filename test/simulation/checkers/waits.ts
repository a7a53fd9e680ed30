import type { Attempt } from '../history/attempt.js';
import type { History } from '../history/history.js';
import type { Checker, Finding } from './checker.js';
import { afterStandstills, endOf, SLACK } from './excuses.js';

/** A wait ends in time on the clock of its process, whatever the network does; so does a release. */
export const waits: Checker = {
  name: 'waits',
  always: true,
  *check(history) {
    const { commandTimeout } = history.times;
    for (const attempt of history.attempts) {
      const { wait, askedAt, abortedAt, enteredAt, leftAt, endedAt } = attempt;
      const wasOver = enteredAt ?? endedAt;
      yield* late(history, attempt, askedAt + wait + commandTimeout, wasOver, 'its wait was over');
      if (abortedAt !== undefined) yield* late(history, attempt, abortedAt, wasOver, 'it was cancelled');
      if (leftAt !== undefined) yield* late(history, attempt, leftAt + commandTimeout, endedAt, 'it was released');
    }
  },
};

function* late(
  history: History,
  { id, client }: Attempt,
  due: number,
  happened: number | undefined,
  what: string,
): Iterable<Finding> {
  const allowed = afterStandstills(history, client, due) + SLACK;
  if ((happened ?? Infinity) <= allowed || endOf(history, client) <= allowed) return;
  const when = happened === undefined ? 'never' : `at ${happened.toFixed(1)}`;
  yield { at: due, what: `${id}: ${what} at ${due.toFixed(1)}, it ended ${when}`, attempts: [id] };
}
