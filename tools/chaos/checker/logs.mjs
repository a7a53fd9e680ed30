/** @import { ClientEvent } from '../types.mjs' */

const LOST = /^Redis is not reachable \((.*?)\)/;
const BACK = /^Redis is reachable again \((.*?)\)/;

/**
 * @param {readonly ClientEvent[]} events of one process
 * @param {readonly number[]} faults when they were made: each may bring an outage of its own
 * @returns {string[]} lines that say what a line before them said, of the same outage of the same connection
 */
export function findRepeatedLines(events, faults) {
  /** @type {Map<string, number>} */
  const outSince = new Map();
  return events.flatMap((event) => {
    if (event.e !== 'log') return [];
    const back = BACK.exec(event.text)?.[1];
    if (back !== undefined) outSince.delete(back);
    const lost = LOST.exec(event.text)?.[1];
    if (lost === undefined) return [];
    const since = outSince.get(lost);
    outSince.set(lost, event.at);
    const another = since === undefined || faults.some((at) => at > since && at <= event.at);
    return another ? [] : [event.text];
  });
}
