import { groupBy } from '../core/group-by.js';
import type { Checker } from './checker.js';

/** A release says true, and a section ends well, only where the lock was still ours when the work ended. */
export const releases: Checker = {
  name: 'releases',
  always: false,
  *check({ attempts, ownerships }) {
    const byToken = groupBy(ownerships, ({ token }) => token);
    for (const { id, token = '', leftAt, released, style, outcome, error, lostAt = Infinity } of attempts) {
      if (leftAt === undefined) continue;
      if (style === 'section' && outcome === 'done' && error === undefined && lostAt < leftAt) {
        yield { at: leftAt, what: 'the lock was lost before the work ended, and nobody was told', attempts: [id] };
      }
      if (released !== true) continue;
      if (byToken.get(token)?.some(({ from, to }) => from <= leftAt && to >= leftAt)) continue;
      yield { at: leftAt, what: 'a lock that was not ours any more was released', attempts: [id] };
    }
  },
};
