import type { Lease } from '../interfaces/lease.interface.js';
import { frameStorage } from './frame-storage.js';
import type { Frame } from './frame.js';
import { refuseLazyResult } from './lazy-result.js';
import { judgeLoss, leaveSection } from './leave-section.js';

/** Runs `task` inside the lock of `frame` and gives the lock back when it has ended, however it ended. */
export async function runSection<T>(
  frame: Frame,
  task: (lease: Lease) => T | PromiseLike<T>,
  onLost: 'throw' | 'ignore',
): Promise<T> {
  let result: T;
  try {
    // Adopted in here: a lazy thenable, such as a query, begins its work when it is asked for the result.
    result = await frameStorage.run(frame, () => Promise.resolve(task(frame.lease)));
    refuseLazyResult(result, frame.label);
  } catch (error) {
    await leaveSection(frame);
    throw error;
  }
  const lost = await leaveSection(frame);
  const error = lost && judgeLoss(frame, lost, onLost, result);
  if (error !== undefined) throw error;
  return result;
}
