import { groupBy } from '../core/group-by.js';
import { endOfBelief, type Attempt } from '../history/attempt.js';
import type { Checker, Finding } from './checker.js';

/** Never more holders at once than the limit, each counted from its entry until it leaves or its own deadline has come. */
export const overlap: Checker = {
  name: 'overlap',
  always: false,
  *check({ attempts }) {
    const byKey = groupBy(
      attempts.filter(({ enteredAt }) => enteredAt !== undefined),
      ({ kind, key }) => `${kind} ${key}`,
    );
    for (const holders of byKey.values()) yield* tooMany(holders);
  },
};

function* tooMany(holders: Attempt[]): Iterable<Finding> {
  let inside: Attempt[] = [];
  for (const holder of holders.sort((a, b) => enteredAt(a) - enteredAt(b))) {
    inside = inside.filter((other) => (endOfBelief(other) as number) > enteredAt(holder));
    if ((endOfBelief(holder) as number) <= enteredAt(holder)) continue;
    inside.push(holder);
    if (inside.length <= holder.limit) continue;
    const { kind, key, limit } = holder;
    yield {
      at: enteredAt(holder),
      what: `${inside.length} inside of ${kind} ${key}, whose limit is ${limit}`,
      attempts: inside.map(({ id }) => id),
    };
  }
}

function enteredAt(attempt: Attempt): number {
  return attempt.enteredAt as number;
}
