import { readTokenOwner } from '../token.js';
import type { Waiter } from './waiter.js';

/** For logs: names the key, how long it was waited for, and who has it, as far as the last answer told. */
export function busyMessage(waiter: Waiter, waited: number): string {
  const { name, kind, limit, wait } = waiter.request;
  const what = kind === 'semaphore' ? `Semaphore "${name}" (limit ${limit})` : `Lock "${name}"`;
  const tried = wait === 0 ? 'one try' : `waited ${Math.round(waited)} ms`;
  return `${what} is busy (${tried})${holderText(waiter)}.`;
}

function holderText({ holder, rest }: Waiter): string {
  if (holder === '') return '';
  const { label, host, pid, kept } = readTokenOwner(holder);
  if (kept) return `; it is kept closed after ${label ?? 'its last holder'} (minHold)`;
  if (host !== null) return `; held by ${label ?? 'unknown'} (host ${host}, pid ${pid})`;
  return rest === -1
    ? '; its key has a value of another program and never expires: delete the key if nobody owns it'
    : '; its key has a value of another program';
}
