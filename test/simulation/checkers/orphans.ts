import type { Attempt } from '../history/attempt.js';
import { attemptIdOf, type History } from '../history/history.js';
import { usesOf } from '../history/token-uses.js';
import type { Checker } from './checker.js';
import { afterStandstills, concerns, endOf, SLACK } from './excuses.js';

/** Later than any request that was given up can still run on the server; see `Departures`. */
const STRAY_SLACK = 100;

/**
 * What a call does not use any more is given back: at once, or when its process has a connection again, and once more when a
 * request that was given up can have run by then. Nobody owns or queues for a call that is over for longer.
 */
export const orphans: Checker = {
  name: 'orphans',
  always: false,
  *check(history) {
    const uses = usesOf(history);
    for (const [what, tokens] of [
      ['owned', history.ownerships],
      ['queued for', history.places],
    ] as const) {
      for (const { kind, key, token, from, to } of tokens) {
        const use = uses.get(token);
        if (!use) continue;
        const [{ client }] = use.attempts as [Attempt];
        const since = Math.max(from, use.endOfUse);
        if (since >= to) continue;
        const due = lastChance(history, client, since, to) + history.times.commandTimeout + STRAY_SLACK + SLACK;
        if (to <= due || endOf(history, client) <= due) continue;
        yield {
          at: since,
          what: `${kind} ${key} was ${what} for ${attemptIdOf(token)} until ${to.toFixed(1)}`,
          attempts: [attemptIdOf(token)],
        };
      }
    }
  },
};

/** The last moment before `to` at which the process could speak to the server again, or `since`; `to` where it could not. */
function lastChance(history: History, client: string, since: number, to: number): number {
  let moment = since;
  for (const { client: speaker, at, text } of history.log) {
    if (speaker !== client || at > to || !text.includes('(commands)')) continue;
    moment = text.includes('reachable again') ? Math.max(since, at) : to;
  }
  for (const it of history.disturbances) {
    if (concerns(it, client) && it.from <= to) moment = Math.max(moment, Math.min(it.until, to));
  }
  return afterStandstills(history, client, moment);
}
