/** @import { ClientEvent } from '../types.mjs' */

const LOST = /^Redis is not reachable \((.*?)\)/;
const BACK = /^Redis is reachable again \((.*?)\)/;

/**
 * @param {readonly ClientEvent[]} events of one process
 * @returns {string[]} lines that say what a line before them said, of the same outage of the same connection
 */
export function findRepeatedLines(events) {
  const out = new Set();
  return events.flatMap((event) => {
    if (event.e !== 'log') return [];
    const lost = LOST.exec(event.text)?.[1];
    const back = BACK.exec(event.text)?.[1];
    if (back !== undefined) out.delete(back);
    if (lost === undefined) return [];
    if (out.has(lost)) return [event.text];
    out.add(lost);
    return [];
  });
}
