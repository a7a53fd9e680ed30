import { frameStorage } from './frame-storage.js';
import type { Frame } from './frame.js';
import { isBusy } from './is-busy.js';
import { judgeLoss, leaveSection } from './leave-section.js';
import type { EntryRequest, LockGate } from './lock-gate.js';

/**
 * Runs `work`, which has one result, inside a lock, and gives the lock back when it has ended, however it ended.
 *
 * @returns undefined for a call that is skipped, too
 */
export function runSection<T>(
  gate: LockGate,
  entry: EntryRequest,
  work: (frame: Frame) => T | PromiseLike<T>,
): Promise<T | undefined> {
  return gate
    .enter(entry)
    .then((frame) => runInside(frame, work), entry.settings.onBusy === 'skip' ? skipIfBusy : undefined);
}

async function runInside<T>(frame: Frame, work: (frame: Frame) => T | PromiseLike<T>): Promise<T> {
  let result: T;
  try {
    // Adopted in here: a lazy thenable, such as a query, begins its work when it is asked for the result.
    result = await frameStorage.run(frame, () => Promise.resolve(work(frame)));
  } catch (error) {
    await leaveSection(frame);
    throw error;
  }
  const lost = await leaveSection(frame);
  const error = lost && judgeLoss(frame, lost, frame.entry.settings.onLost, result);
  if (error !== undefined) throw error;
  return result;
}

function skipIfBusy(error: unknown): undefined {
  if (!isBusy(error)) throw error;
}
