import type { LockHolder, LockInspection, LockWaiter } from '../interfaces/inspection.interface.js';
import { readTokenOwner } from './token.js';

/** Reads the reply of the inspect scripts (see lua/lock-inspect-2.lua). */
export function readInspection(reply: unknown): Pick<LockInspection, 'held' | 'holders' | 'waiters'> {
  const [nowUs, holding, queue] = reply as [string, (string | number)[], (string | number)[]];
  const holders = pairs(holding).map(([token, rest]): LockHolder => {
    return { ...readTokenOwner(token), remaining: rest < 0 ? null : rest };
  });
  const waiters = pairs(queue).map(([token, ticket]): LockWaiter => {
    const { kept: _kept, ...owner } = readTokenOwner(token);
    return { ...owner, waited: Math.max(0, Math.round((Number(nowUs) - ticket) / 1000)) };
  });
  return { held: holders.length > 0, holders, waiters };
}

function pairs(flat: (string | number)[]): [string, number][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [String(flat[2 * i]), Number(flat[2 * i + 1])]);
}
