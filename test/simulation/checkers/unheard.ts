import { attemptIdOf } from '../history/history.js';
import type { Checker } from './checker.js';

/** A hand-off goes to nobody whom the server knows that it cannot reach: that would keep the lock for a lease, for nothing. */
export const unheard: Checker = {
  name: 'unheard',
  always: true,
  *check(history) {
    for (const { kind, key, at, token } of history.unheard) {
      const id = attemptIdOf(token);
      yield { at, what: `${kind} ${key} was handed to ${id}, whose process nobody could tell`, attempts: [id] };
    }
  },
};
