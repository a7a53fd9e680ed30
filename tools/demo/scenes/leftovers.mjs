/** @import { Scene } from './scene.mjs' */

const PATTERNS = ['lock:*', 'semaphore:*', 'queue:*', 'seen:*'];
/** `minHold` keeps it closed for a second after each run. */
const KEPT = 'lock:nightly-report';

/** @param {Scene} scene */
export async function leftovers({ report, redis }) {
  report.chapter('Afterwards');
  const answers = await Promise.all(PATTERNS.map((pattern) => redis.cli('--scan', '--pattern', pattern)));
  const keys = answers.flatMap((answer) => answer.split('\n')).filter((key) => key !== '' && key !== KEPT);
  report.check('nothing is left behind in Redis', {
    ok: keys.length === 0,
    figures: `${keys.length} keys: ${keys.join(' ')}`.replace(/: $/, ''),
  });
}
