import { groupBy } from '../core/group-by.js';
import type { Attempt } from '../history/attempt.js';
import type { History } from '../history/history.js';
import type { Checker, Finding } from './checker.js';

type Fenced = Attempt & { enteredAt: number; fence: number };

/** No two grants of a key have the same fence, and a grant that came after another one has the higher fence. */
export const fences: Checker = {
  name: 'fences',
  always: false,
  *check(history) {
    const fenced = history.attempts.filter((it): it is Fenced => it.fence !== undefined);
    for (const grants of groupBy(fenced, ({ kind, key }) => `${kind} ${key}`).values()) {
      yield* repeated(grants);
      yield* falling(grants, history);
    }
  },
};

function* repeated(grants: readonly Fenced[]): Iterable<Finding> {
  for (const [fence, same] of groupBy(grants, (grant) => grant.fence)) {
    const [first, second] = same.sort((a, b) => a.enteredAt - b.enteredAt);
    if (!first || !second) continue;
    yield { at: second.enteredAt, what: `the fence ${fence} was given twice`, attempts: same.map(({ id }) => id) };
  }
}

/** Of permits several are given at once; only those that were asked for after another one was had must have a higher fence. */
function* falling(grants: Fenced[], { ownerships }: History): Iterable<Finding> {
  const grantedAt = new Map<string, number>();
  for (const { token, from } of ownerships) if (!grantedAt.has(token)) grantedAt.set(token, from);
  const first = new Map<string, Fenced>();
  for (const grant of grants) {
    const known = first.get(grant.token ?? '');
    if (!known || grant.enteredAt < known.enteredAt) first.set(grant.token ?? '', grant);
  }
  // Whoever got it from another caller of the process entered at once.
  const since = (grant: Fenced): number =>
    (grant.kind === 'lock' && first.get(grant.token ?? '') === grant ? grantedAt.get(grant.token ?? '') : undefined) ??
    grant.enteredAt;
  const before = [...grants].sort((a, b) => a.enteredAt - b.enteredAt);
  const after = grants.sort((a, b) => beginOf(a, since) - beginOf(b, since));
  let highest: Fenced | undefined;
  let next = 0;
  for (const grant of after) {
    for (let earlier = before[next]; earlier && earlier.enteredAt < beginOf(grant, since); earlier = before[++next]) {
      if (!highest || earlier.fence > highest.fence) highest = earlier;
    }
    if (!highest || highest.fence < grant.fence || highest === grant) continue;
    const what = `the fence ${grant.fence} is not above ${highest.fence}, which was given before`;
    yield { at: grant.enteredAt, what, attempts: [highest.id, grant.id] };
  }
}

/** The earliest moment at which its fence can have been made. */
function beginOf(grant: Fenced, since: (grant: Fenced) => number): number {
  return grant.kind === 'lock' ? since(grant) : grant.askedAt;
}
