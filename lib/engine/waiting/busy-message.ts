import type { AcquireRequest } from '../acquire-request.interface.js';
import { readTokenOwner } from '../token.js';
import type { KnownHolder } from './waiter.js';

/** For logs: names the key, how long it was waited for, and who has it, as far as the last answer told. */
export function busyMessage(request: AcquireRequest, waited: number, known: KnownHolder): string {
  const { name, kind, limit, wait } = request;
  const what = kind === 'semaphore' ? `Semaphore "${name}" (limit ${limit})` : `Lock "${name}"`;
  const tried = wait === 0 ? 'one try' : `waited ${Math.round(waited)} ms`;
  return `${what} is busy (${tried})${holderText(known)}.`;
}

function holderText({ holder, rest, label: caller }: KnownHolder): string {
  if (holder === '') return '';
  const { label: asker, host, pid, kept } = readTokenOwner(holder);
  const label = caller ?? asker;
  if (kept) return `; it is kept closed after ${label ?? 'its last holder'} (minHold)`;
  if (host !== null) return `; held by ${label ?? 'unknown'} (host ${host}, pid ${pid})`;
  return rest === -1
    ? '; its key has a value of another program and never expires: delete the key if nobody owns it'
    : '; its key has a value of another program';
}
