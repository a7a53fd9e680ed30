import { LockLostError } from '../errors/index.js';
import { LOST_AT_RELEASE, LOST_IGNORED, RELEASE_FAILED } from '../redis-lock.messages.js';
import type { Frame } from './frame.js';

/**
 * Ends a locked section. Never rejects: a release that fails is logged, since the work is done and its result stands.
 *
 * @returns why the work ran without the lock, if it did
 */
export async function leaveSection(frame: Frame): Promise<LockLostError | undefined> {
  const { lost, grant, gate } = frame;
  try {
    if (await frame.leave()) return lost;
    return lost ?? grant.lost ?? new LockLostError(LOST_AT_RELEASE(grant.name, frame.label), grant.name);
  } catch (error) {
    gate.logger.warn(RELEASE_FAILED(grant.name, frame.label, error));
    return lost;
  }
}

/**
 * What a loss means for a section that ended well.
 *
 * @returns the error to end with, or nothing when the loss is only to be logged
 */
export function judgeLoss(
  frame: Frame,
  lost: LockLostError,
  onLost: 'throw' | 'ignore',
  result: unknown,
): LockLostError | undefined {
  if (onLost === 'ignore') {
    frame.gate.logger.warn(LOST_IGNORED(frame.label, lost));
    return undefined;
  }
  // An error of its own for every call, since calls that share the holding have different results.
  const error = new LockLostError(lost.message, lost.key ?? frame.grant.name, { cause: lost });
  error.result = result;
  return error;
}
