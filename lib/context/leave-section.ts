import { LockLostError } from '../errors/index.js';
import { LOST_AT_RELEASE, LOST_IGNORED, LOST_IN_BACKGROUND, RELEASE_FAILED } from '../redis-lock.messages.js';
import type { Frame } from './frame.js';

/**
 * Ends a locked section. Never rejects: a release that fails is logged, since the work is done and its result stands. The
 * release is asked for before this returns, and its answer is waited for unless the section leaves that to the background.
 *
 * @returns why the work ran without the lock, as far as it is known by then
 */
export function leaveSection(frame: Frame): Promise<LockLostError | undefined> {
  const { lost, grant, gate, label } = frame;
  const answer = frame.leave().then(
    (ours) => (ours ? lost : (lost ?? lossAtRelease(frame))),
    (error: unknown) => {
      gate.logger.warn(RELEASE_FAILED(grant.name, label, error));
      return lost;
    },
  );
  if (frame.entry.settings.releaseMode !== 'background') return answer;
  void answer.then((late) => {
    if (late && !lost) gate.logger.warn(LOST_IN_BACKGROUND(label, late));
  });
  return Promise.resolve(lost);
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
