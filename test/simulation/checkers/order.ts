import { attemptIdOf, type History, type OvertakenToken } from '../history/history.js';
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
    const attempts = new Map(history.attempts.map((attempt) => [attempt.id, attempt]));
    for (const { kind, key, at, token, overtaken } of history.overtakings) {
      for (const other of overtaken) {
        const attempt = attempts.get(attemptIdOf(other.token));
        if (!attempt || isExcused(history, other, attempt.client, at)) continue;
        const { abortedAt = Infinity, endedAt = Infinity } = attempt;
        if (Math.min(abortedAt, endedAt) <= at) continue;
        const winner = attemptIdOf(token);
        yield {
          at,
          what: `${winner} got ${kind} ${key} before ${attempt.id}, which stood in front`,
          attempts: [winner, attempt.id],
        };
      }
    }
  },
};

function isExcused(history: History, { heard }: OvertakenToken, client: string, at: number): boolean {
  const { pollInterval, handoffTtl } = history.times;
  return !heard || isDisturbed(history, client, at - 3 * pollInterval - handoffTtl, at);
}
