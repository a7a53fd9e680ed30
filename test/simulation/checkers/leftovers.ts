import type { Checker } from './checker.js';

/** Nothing is left over: keys without an end, timers, connections, rejections that nobody handles, errors of unknown kinds. */
export const leftovers: Checker = {
  name: 'leftovers',
  always: true,
  *check(history) {
    for (const { at, what } of history.leftovers) yield { at, what, attempts: [] };
    for (const { id, askedAt, outcome, error } of history.attempts) {
      if (outcome === 'failed') yield { at: askedAt, what: `${id} failed: ${error}`, attempts: [id] };
    }
  },
};
