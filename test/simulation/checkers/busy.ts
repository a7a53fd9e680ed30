import { groupBy } from '../core/group-by.js';
import { attemptIdOf } from '../history/history.js';
import type { Checker } from './checker.js';

/** Whoever is told that a lock is busy asked for one that somebody else held or waited for meanwhile. */
export const busy: Checker = {
  name: 'busy',
  always: true,
  *check({ attempts, ownerships, places }) {
    const others = groupBy([...ownerships, ...places], ({ kind, key }) => `${kind} ${key}`);
    for (const { id, kind, key, outcome, askedAt, endedAt = Infinity } of attempts) {
      if (outcome !== 'busy') continue;
      const known = others.get(`${kind} ${key}`) ?? [];
      if (known.some(({ token, from, to }) => attemptIdOf(token) !== id && from <= endedAt && to >= askedAt)) continue;
      yield { at: endedAt, what: `${kind} ${key} was called busy, but nobody had it`, attempts: [id] };
    }
  },
};
