import type { Attempt } from '../history/attempt.js';
import { attemptIdOf, type History } from '../history/history.js';
import { usesOf } from '../history/token-uses.js';
import type { Checker } from './checker.js';
import { SLACK } from './excuses.js';

/** For how long a step of a wall clock can make a request look younger than it is. */
const STEP_EFFECT = 10_000;

/**
 * An acquire is void when its caller has given it up, and a renewal creates nothing: no call owns a lock anew when the last
 * request that may take one is over.
 */
export const strays: Checker = {
  name: 'strays',
  always: false,
  *check(history) {
    const uses = usesOf(history);
    const handedOn = new Set(history.places.map(({ token, to }) => `${token} ${to}`));
    for (const { kind, key, token, from } of history.ownerships) {
      const use = uses.get(token);
      // Out of the queue: somebody else's script gave it.
      if (!use || handedOn.has(`${token} ${from}`)) continue;
      const [{ client }] = use.attempts as [Attempt];
      const id = attemptIdOf(token);
      const lastAsked = use.enteredAt ?? use.endOfUse;
      if (from <= lastAsked + history.times.commandTimeout + SLACK) continue;
      if (wasSet(history, client, lastAsked - STEP_EFFECT, from)) continue;
      const what = `${id} became the owner of ${kind} ${key} when it had last asked ${(from - lastAsked).toFixed(0)} ms ago`;
      yield { at: from, what, attempts: [id] };
    }
  },
};

function wasSet({ disturbances }: History, client: string, from: number, to: number): boolean {
  return disturbances.some(
    (it) => it.fault === 'wall-clock' && it.client === client && it.from >= from && it.from <= to,
  );
}
