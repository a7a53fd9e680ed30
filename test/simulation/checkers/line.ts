import { groupBy } from '../core/group-by.js';
import { lineOf, sharesLine } from '../history/token-uses.js';
import type { Checker } from './checker.js';
import { isDisturbed } from './excuses.js';

/** Within a process those who share a line get the lock in the order in which they came. */
export const line: Checker = {
  name: 'line',
  always: true,
  *check(history) {
    for (const members of groupBy(history.attempts.filter(sharesLine), lineOf).values()) {
      let latest: (typeof members)[number] | undefined;
      const entered = members.filter(({ enteredAt }) => enteredAt !== undefined);
      for (const attempt of entered.sort((a, b) => (a.enteredAt as number) - (b.enteredAt as number))) {
        const { id, client, askedAt, enteredAt = 0 } = attempt;
        if (latest && latest.askedAt > askedAt && !isDisturbed(history, client, askedAt, enteredAt)) {
          yield {
            at: enteredAt,
            what: `${id} came before ${latest.id} and entered after it`,
            attempts: [id, latest.id],
          };
        }
        if (!latest || askedAt > latest.askedAt) latest = attempt;
      }
    }
  },
};
