import { endOfBelief } from '../history/attempt.js';
import { attemptIdOf, isKept, type History } from '../history/history.js';

/** A history as lines of text, in the order in which things happened. */
export function traceOf(history: History): string[] {
  const lines: [at: number, text: string][] = [];
  const add = (at: number | undefined, text: string): void => {
    if (at !== undefined && at !== Infinity) lines.push([at, text]);
  };
  for (const attempt of history.attempts) {
    const { id, client, kind, key, ttl, renew, wait, minHold, style } = attempt;
    const options = `ttl ${ttl}${renew ? '' : ' not renewed'}, wait ${wait}${minHold ? `, minHold ${minHold}` : ''}`;
    add(attempt.askedAt, `${client} ${id} asks for ${kind} ${key} (${style}, ${options})`);
    add(attempt.abortedAt, `${client} ${id} is cancelled`);
    add(attempt.enteredAt, `${client} ${id} enters ${kind} ${key}, fence ${attempt.fence}`);
    if (attempt.enteredAt !== undefined) add(endOfBelief(attempt), `${client} ${id} holds ${kind} ${key} no longer`);
    add(attempt.lostAt, `${client} ${id} is told of its loss`);
    add(attempt.abandonedAt, `${client} ${id} is abandoned`);
    add(attempt.leftAt, `${client} ${id} leaves`);
    const { error, released } = attempt;
    add(
      attempt.endedAt,
      `${client} ${id} ends: ${attempt.outcome}${released === undefined ? '' : `, released ${released}`} ${error ?? ''}`,
    );
  }
  for (const { kind, key, token, from, to } of history.ownerships) {
    const name = `${isKept(token) ? 'kept for ' : ''}${attemptIdOf(token)}`;
    add(from, `redis: ${kind} ${key} is ${name}'s`);
    add(to, `redis: ${kind} ${key} is no more ${name}'s`);
  }
  for (const { kind, key, token, from, to } of history.places) {
    add(from, `redis: ${attemptIdOf(token)} queues for ${kind} ${key}`);
    add(to, `redis: ${attemptIdOf(token)} leaves the queue of ${kind} ${key}`);
  }
  for (const { fault, client = 'all', from, until, note } of history.disturbances) {
    add(from, `FAULT ${fault} of ${client} ${note}`);
    if (until > from) add(until, `FAULT ${fault} of ${client} is over`);
  }
  for (const { client, at, how } of history.ends) add(at, `${client} is ${how}`);
  for (const { at, client, level, text } of history.log) add(at, `${client} logs ${level}: ${text}`);
  for (const { at, line } of history.commands) add(at, line);
  return lines.sort((a, b) => a[0] - b[0]).map(([at, text]) => `${at.toFixed(2).padStart(10)}  ${text}`);
}
