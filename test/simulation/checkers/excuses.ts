import type { Disturbance, History } from '../history/history.js';

const STANDSTILLS = new Set(['freeze', 'suspend']);
/** Timers are a little late, and several things may have to happen one after the other. */
export const SLACK = 60;

export function concerns({ client }: Disturbance, other: string): boolean {
  return client === undefined || client === other;
}

/** Whether things need not go their usual way for a process at some moment between these. */
export function isDisturbed(history: History, client: string, from: number, to: number): boolean {
  return history.disturbances.some((it) => concerns(it, client) && it.from <= to && it.to >= from);
}

/** The moment, or the end of the standstills of the process that hold up what was due then. */
export function afterStandstills(history: History, client: string, moment: number): number {
  let end = moment;
  for (const it of history.disturbances) {
    if (!STANDSTILLS.has(it.fault) || it.client !== client || it.from > end + SLACK) continue;
    // Timers of a machine that slept are late by that time, too.
    if (it.fault === 'suspend') end += it.until - it.from;
    else end = Math.max(end, it.until);
  }
  return end;
}

/** When a process ended, if it did. */
export function endOf(history: History, client: string): number {
  return history.ends.find((it) => it.client === client)?.at ?? Infinity;
}
