import { groupBy } from '../core/group-by.js';
import { sharesLine } from '../history/token-uses.js';
import type { Checker } from './checker.js';

/** A process passes a lock on so many times, and for so long, and then gives it back. */
export const turns: Checker = {
  name: 'turns',
  always: true,
  *check({ attempts, times: { cohort } }) {
    const entered = attempts.filter((attempt) => sharesLine(attempt) && attempt.enteredAt !== undefined);
    for (const users of groupBy(entered, ({ token = '' }) => token).values()) {
      const ids = users.map(({ id }) => id);
      const moments = users.map(({ enteredAt = 0 }) => enteredAt);
      const [first, last] = [Math.min(...moments), Math.max(...moments)];
      if (users.length > cohort.passes + 1) {
        yield { at: last, what: `${users.length} sections in one turn, of ${cohort.passes} passes`, attempts: ids };
      }
      if (last - first > cohort.time) {
        yield { at: last, what: `passed on ${(last - first).toFixed(0)} ms after the grant`, attempts: ids };
      }
    }
  },
};
