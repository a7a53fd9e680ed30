import { groupBy } from '../core/group-by.js';
import { endOfBelief } from '../history/attempt.js';
import type { Checker } from './checker.js';

/** For all the time that a process takes itself for an owner, the server does, too: also when nobody else wants the lock. */
export const belief: Checker = {
  name: 'belief',
  always: false,
  *check({ attempts, ownerships }) {
    const byToken = groupBy(ownerships, ({ token }) => token);
    for (const attempt of attempts) {
      const { id, enteredAt, token = '' } = attempt;
      const end = endOfBelief(attempt);
      if (enteredAt === undefined || end === undefined || end <= enteredAt) continue;
      if (byToken.get(token)?.some(({ from, to }) => from <= enteredAt && to >= end)) continue;
      const [known] = (byToken.get(token) ?? []).filter(({ from }) => from <= enteredAt).slice(-1);
      const truth = known ? `the server only until ${known.to.toFixed(1)}` : 'the server never';
      yield { at: enteredAt, what: `${id} believed in it until ${end.toFixed(1)}, ${truth}`, attempts: [id] };
    }
  },
};
