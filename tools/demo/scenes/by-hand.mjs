import { bold, dim } from '../colours.mjs';
import { waitForWaiter } from './wait-for-waiter.mjs';

/** @import { Scene } from './scene.mjs' */

const KEY = 'order:43';
const LEASE = 10_000;
const HELD_FOR = 1_500;

/** @param {Scene} scene */
export async function byHand(scene) {
  const { fleet, report } = scene;
  report.chapter('By hand: one process holds order 43, the two others wait');
  const answers = await holdAndQueue(scene);
  const [holder = '', rest = '', queue = ''] = await askAll(scene, [
    ['GET', `lock:${KEY}`],
    ['PTTL', `lock:${KEY}`],
    ['ZRANGE', `queue:{lock:${KEY}}`, '0', '-1'],
  ]);
  await Promise.all(answers);
  const [exists = ''] = await askAll(scene, [['EXISTS', `lock:${KEY}`]]);

  const [first = 0, ...others] = fleet.pids;
  report.check('GET shows the holder', tokensName([holder], [first]));
  report.check('PTTL shows the rest of its lease', {
    ok: Number(rest) > 0 && Number(rest) <= LEASE,
    figures: `${rest} of ${LEASE} ms`,
  });
  report.check('ZRANGE shows who waits, in order', tokensName(queue.split('\n'), others));
  report.check('EXISTS says free afterwards', {
    ok: exists === '0',
    figures: exists,
  });
}

/** @param {Scene} scene */
async function holdAndQueue({ fleet, journals }) {
  const [first, ...others] = fleet.processes;
  if (!first) throw new Error('no process');
  const path = '/orders/43/payments';
  const answers = [first.post(path, { amount: 5, takes: HELD_FOR })];
  await journals.waitFor(KEY, 'enter', first.pid);
  for (const [index, one] of others.entries()) {
    answers.push(one.post(path, { amount: 5 }));
    await waitForWaiter(first, KEY, index + 1);
  }
  return answers;
}

/**
 * Asks all at once, since starting a program may take long, and shows each
 * command together with what it really answered.
 *
 * @param {Scene} scene
 * @param {string[][]} commands
 */
async function askAll({ redis, report }, commands) {
  const answers = await Promise.all(commands.map((command) => redis.cli(...command)));
  for (const [index, command] of commands.entries()) {
    const line = `redis-cli -p ${redis.port} ${command.join(' ')}`;
    report.note(`${dim('$')} ${bold(line)}`);
    for (const answer of (answers[index] ?? '').split('\n')) {
      report.note(`  ${answer || dim('(nothing)')}`);
    }
  }
  return answers;
}

/**
 * @param {string[]} tokens
 * @param {number[]} pids the processes that they should name
 */
function tokensName(tokens, pids) {
  const named = tokens.map(pidOf);
  return {
    ok: named.length === pids.length && named.every((pid, i) => pid === pids[i]),
    figures: `process ${named.map((pid) => pid ?? 'nobody').join(', then ')}`,
  };
}

/**
 * A token is `1:clientId:sequence:lease:weight:limit:label`, and a clientId is
 * host, process id and eight random characters.
 *
 * @param {string} token
 */
function pidOf(token) {
  const pid = /^1:[^:]*-(\d+)-[\w-]{8}:/.exec(token)?.[1];
  return pid === undefined ? undefined : Number(pid);
}
