// Shows the locks at work: three processes of the sample app, one Redis. Exits
// with 0 when every check holds, 1 when one does not, 2 when it could not run.
import { ensureBuilt } from './build.mjs';
import { end, endOnSignals, isEnding, onEnd, SHORT_PATIENCE } from './clean-up.mjs';
import { bold, dim, red, yellow } from './colours.mjs';
import { startDemoRedis } from './demo-redis.mjs';
import { Fleet } from './fleet.mjs';
import { Journals } from './journals.mjs';
import { print, Report } from './report.mjs';
import { byHand } from './scenes/by-hand.mjs';
import { controllers } from './scenes/controllers.mjs';
import { frozen } from './scenes/frozen.mjs';
import { gateway } from './scenes/gateway.mjs';
import { killed } from './scenes/killed.mjs';
import { leftovers } from './scenes/leftovers.mjs';
import { lostMoney } from './scenes/lost-money.mjs';
import { money } from './scenes/money.mjs';
import { nightly } from './scenes/nightly.mjs';
import { seats } from './scenes/seats.mjs';

/** @import { Scene } from './scenes/scene.mjs' */

const TIME_LIMIT = 58_000;
const SCENES = [money, seats, gateway, controllers, byHand, nightly, killed, frozen, leftovers];

const args = process.argv.slice(2);
const unlocked = args.includes('--unlocked');
const unknown = args.find((arg) => arg !== '--unlocked');

/** @returns {Promise<boolean>} whether every check holds */
async function demo() {
  print(bold('nestjs-redis-lock: three Nest processes, one Redis'));
  ensureBuilt(print);
  const redis = await startDemoRedis((line) => print(yellow(line)));
  onEnd(() => redis.stop());
  print(dim(`Redis ${redis.version} (${redis.kind}) on port ${redis.port}`));
  if (unlocked) print(yellow('The locks are off: the checks must fail.'));
  setTimeout(() => giveUp(new Error(`not done within ${TIME_LIMIT / 1000} s`)), TIME_LIMIT).unref();

  const journals = new Journals();
  onEnd(() => journals.remove());
  const report = new Report();
  if (!unlocked) await play(true, [lostMoney]);
  await play(unlocked, SCENES);
  return report.conclude();

  /**
   * @param {boolean} off
   * @param {((scene: Scene) => Promise<void>)[]} scenes
   */
  async function play(off, scenes) {
    const fleet = await Fleet.start(redis, journals, { unlocked: off });
    onEnd(() => fleet.stop(SHORT_PATIENCE));
    for (const scene of scenes) await scene({ fleet, journals, report, redis });
    await fleet.stop();
  }
}

/** @param {unknown} error */
function giveUp(error) {
  if (isEnding()) return;
  const text = error instanceof Error ? error.message : String(error);
  console.error(red(`\nThe demo could not go on: ${text}`));
  void end(2);
}

if (unknown === undefined) {
  endOnSignals();
  demo().then((ok) => end(ok ? 0 : 1), giveUp);
} else {
  console.error(`Unknown argument ${unknown}. Usage: npm run demo [-- --unlocked]`);
  process.exitCode = 2;
}
