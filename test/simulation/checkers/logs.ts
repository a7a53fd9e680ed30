import { groupBy } from '../core/group-by.js';
import type { Checker } from './checker.js';

const LOST = /^Redis is not reachable \((.*?)\)/;
const BACK = /^Redis is reachable again \((.*?)\)/;

/** One line for each outage of a connection and one for its end; nothing is an error, and no warning comes twice in a row. */
export const logs: Checker = {
  name: 'logs',
  always: true,
  *check({ log }) {
    for (const [client, lines] of groupBy(log, (line) => line.client)) {
      const out = new Map<string, boolean>();
      for (const { at, level, text } of lines) {
        const lost = LOST.exec(text)?.[1];
        const back = BACK.exec(text)?.[1];
        const name = lost ?? back;
        if (level === 'error') yield { at, what: `${client} logs an error: ${text}`, attempts: [] };
        if (name === undefined) continue;
        if ((out.get(name) ?? false) === (lost !== undefined))
          yield { at, what: `${client} says twice: ${text}`, attempts: [] };
        out.set(name, lost !== undefined);
      }
    }
  },
};
