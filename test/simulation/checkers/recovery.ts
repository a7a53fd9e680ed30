import type { Checker } from './checker.js';
import { SLACK } from './excuses.js';

/** When all faults are over, every lock can be had by everybody within a lease and a poll. */
export const recovery: Checker = {
  name: 'recovery',
  always: true,
  *check({ attempts, last, times }) {
    const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]));
    for (const id of last) {
      const { askedAt, enteredAt = Infinity, ttl, outcome, error } = byId.get(id) ?? { askedAt: 0, ttl: 0 };
      if (outcome !== 'done')
        yield { at: askedAt, what: `${id} ended ${outcome ?? 'never'}: ${error}`, attempts: [id] };
      else if (enteredAt - askedAt > ttl + times.pollInterval + 100 + SLACK) {
        yield {
          at: askedAt,
          what: `${id} waited ${(enteredAt - askedAt).toFixed(0)} ms when all was well`,
          attempts: [id],
        };
      }
    }
  },
};
