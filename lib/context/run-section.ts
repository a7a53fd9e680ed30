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
export async function runSection<T>(
  gate: LockGate,
  entry: EntryRequest,
  work: (frame: Frame) => T | PromiseLike<T>,
): Promise<T | undefined> {
  const { onBusy, onLost } = entry.settings;
  let frame: Frame;
  try {
    frame = await gate.enter(entry);
  } catch (error) {
    if (onBusy === 'skip' && isBusy(error)) return undefined;
    throw error;
  }
  let result: T;
  try {
    // Adopted in here: a lazy thenable, such as a query, begins its work when it is asked for the result.
    result = await frameStorage.run(frame, () => Promise.resolve(work(frame)));
  } catch (error) {
    await leaveSection(frame);
    throw error;
  }
  const lost = await leaveSection(frame);
  const error = lost && judgeLoss(frame, lost, onLost, result);
  if (error !== undefined) throw error;
  return result;
}
