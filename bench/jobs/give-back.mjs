import { now } from '../measure/clock.mjs';
import { giveBack } from './hold.mjs';

/** Ends what the job `hold` began, and says when it did. @returns {number} */
export function run() {
  const at = now();
  giveBack();
  return at;
}
