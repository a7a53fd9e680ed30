import { LockLostError } from '../errors/index.js';
import { LOST_AT_RELEASE, LOST_IGNORED, LOST_IN_BACKGROUND, RELEASE_FAILED } from '../redis-lock.messages.js';
import type { Frame } from './frame.js';

/**
 * Ends a locked section. Never fails: a release that fails is logged, since the work is done and its result stands. The
 * release is asked for before this returns, and its answer is waited for unless the section leaves that to the background.
 *
 * @param left gets why the work ran without the lock, as far as it is known by then
 */
export function leaveSection(frame: Frame, left: (lost: LockLostError | undefined) => void): void {
  const { lost, grant, gate, label } = frame;
  const background = frame.entry.settings.releaseMode === 'background';
  frame.leave().then(
    (ours) => {
      const late = ours ? lost : (lost ?? lossAtRelease(frame));
      if (!background) left(late);
      else if (late && !lost) gate.logger.warn(LOST_IN_BACKGROUND(label, late));
    },
    (error: unknown) => {
      gate.logger.warn(RELEASE_FAILED(grant.name, label, error));
      if (!background) left(lost);
    },
  );
  if (background) left(lost);
}

function lossAtRelease({ grant, label }: Frame): LockLostError {
  return grant.lost ?? new LockLostError(LOST_AT_RELEASE(grant.name, label), grant.name);
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
