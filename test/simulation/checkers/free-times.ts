import type { History } from '../history/history.js';

/** When fewer than `limit` tokens held a key. */
export function freeTimes(history: History, name: string, limit: number): { from: number; to: number }[] {
  const steps: [at: number, change: number][] = [];
  for (const { kind, key, from, to } of history.ownerships) {
    if (`${kind} ${key}` === name) steps.push([from, 1], [to, -1]);
  }
  // Of a hand-over at one moment: first the end of the old one.
  steps.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const free: { from: number; to: number }[] = [];
  let holders = 0;
  let since = 0;
  for (const [at, change] of steps) {
    if (holders < limit && holders + change >= limit && at > since) free.push({ from: since, to: at });
    if (holders >= limit && holders + change < limit) since = at;
    holders += change;
  }
  free.push({ from: since, to: Infinity });
  return free;
}
