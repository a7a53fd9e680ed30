import type { Attempt } from '../history/attempt.js';
import { attemptIdOf, type History, type OvertakenToken } from '../history/history.js';
import { usesOf } from '../history/token-uses.js';
import type { Checker } from './checker.js';
import { isDisturbed } from './excuses.js';

/**
 * A lock goes to the head of its queue. Passed over may be whoever has left, whose process the server cannot reach, and whose
 * process was disturbed so lately that it may have missed a hand-off or three polls: the server then takes it for dead.
 */
export const order: Checker = {
  name: 'order',
  always: false,
  *check(history) {
    const uses = usesOf(history);
    for (const { kind, key, at, token, overtaken } of history.overtakings) {
      for (const other of overtaken) {
        const use = uses.get(other.token);
        if (!use || isExcused(history, other, (use.attempts as [Attempt])[0].client, at)) continue;
        if (use.endOfUse <= at || use.attempts.every(({ abortedAt = Infinity }) => abortedAt <= at)) continue;
        const [winner, loser] = [attemptIdOf(token), attemptIdOf(other.token)];
        yield {
          at,
          what: `${winner} got ${kind} ${key} before ${loser}, which stood in front`,
          attempts: [winner, loser],
        };
      }
    }
  },
};

function isExcused(history: History, { heard }: OvertakenToken, client: string, at: number): boolean {
  const { pollInterval, handoffTtl } = history.times;
  return !heard || isDisturbed(history, client, at - 3 * pollInterval - handoffTtl, at);
}
