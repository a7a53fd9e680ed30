import { groupBy } from '../core/group-by.js';
import type { Attempt } from '../history/attempt.js';
import type { History } from '../history/history.js';
import type { Checker } from './checker.js';
import { isDisturbed, SLACK } from './excuses.js';
import { freeTimes } from './free-times.js';

/** Nobody waits for longer than one poll while there is room in the lock, unless faults are under way. */
export const asleep: Checker = {
  name: 'asleep',
  always: true,
  *check(history) {
    const longest = longestSleep(history);
    const waiting = history.attempts.filter((attempt) => endOfWait(attempt) - attempt.askedAt > longest);
    for (const [name, attempts] of groupBy(waiting, ({ kind, key }) => `${kind} ${key}`)) {
      const free = freeTimes(history, name, attempts[0]?.limit ?? 1);
      for (const attempt of attempts) {
        const { id, client, askedAt } = attempt;
        for (const it of free) {
          const from = Math.max(it.from, askedAt);
          const to = Math.min(it.to, endOfWait(attempt));
          if (to - from <= longest || isDisturbed(history, client, from, to)) continue;
          yield {
            at: from,
            what: `${id} waited for ${name}, which was free for ${(to - from).toFixed(0)} ms`,
            attempts: [id],
          };
        }
      }
    }
  },
};

/** A poll, with the jitter that it has, or the time after which a waiter goes on without a channel. */
function longestSleep({ times: { pollInterval, commandTimeout } }: History): number {
  return Math.max(pollInterval + 100, commandTimeout) + SLACK;
}

function endOfWait({ wait, askedAt, enteredAt = Infinity, endedAt = Infinity }: Attempt): number {
  return wait === 0 ? askedAt : Math.min(enteredAt, endedAt, askedAt + wait);
}
