// Client processes use the locks while servers, links and clients fail, and the histories of all of them are judged. Exits with
// 0 when every run is as it should be. See docs/guarantees.md.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverVersion } from '../redis/find-server.mjs';
import { provideRedisBinary } from '../redis/provide-redis.mjs';
import { findCompiler } from './lab/clock-shim.mjs';
import { NamespaceNetwork } from './lab/network.mjs';
import { measureReplicas } from './measure.mjs';
import { readOptions, USAGE } from './options.mjs';
import { chosenPlan, missingFor, shortPlan } from './plan.mjs';
import { docsTable, heading, nameOf, rowOf, versionsOf } from './report.mjs';
import { run } from './run.mjs';

/** @import { Choice, Means } from './plan.mjs' */
/** @import { RunResult } from './run.mjs' */
/** @import { Options } from './options.mjs' */

const ROOT = join(import.meta.dirname, '../..');
const print = (/** @type {string} */ text) => void console.log(text);

/** Of one run besides its faults, s. */
const TIME_LIMIT = 240;
/** @type {() => Promise<void>} */
let close = () => Promise.resolve();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => void close().finally(() => process.exit(130)));
}

/**
 * @param {number} ms
 * @returns {Promise<never>}
 */
async function tooLong(ms) {
  await sleep(ms, undefined, { ref: false });
  throw new Error(`not done within ${ms / 1000} s`);
}

/**
 * @param {Choice} choice
 * @param {Options} options
 * @param {Means} means
 * @returns {Promise<RunResult>}
 */
async function attempt(choice, options, means) {
  const { seconds, processes, callers } = options;
  const plan = { seconds, processes, callers, faultyNetwork: means.faultyNetwork, ...choice };
  try {
    const limit = (seconds + TIME_LIMIT) * 1000;
    return await Promise.race([run(plan, (end) => (close = end)), tooLong(limit)]);
  } catch (error) {
    await close();
    const group = choice.nemesis.groups[choice.topology] ?? 'A';
    return { plan, group, figures: undefined, notes: new Map(), wrong: [String(/** @type {Error} */ (error).stack)] };
  }
}

/**
 * @param {readonly Choice[]} choices
 * @param {Options} options
 * @param {Means} means
 */
async function runAll(choices, options, means) {
  /** @type {RunResult[]} */
  const results = [];
  const end = performance.now() + options.minutes * 60_000;
  do {
    for (const choice of choices) {
      const result = await attempt(choice, options, means);
      results.push(result);
      print(rowOf(result));
      for (const reason of result.wrong) print(`    ${reason}`);
      if (options.show || result.wrong.length > 0)
        for (const example of result.figures?.examples ?? []) print(`    ${example}`);
      for (const [name, value] of result.notes) print(`    ${name}: ${Math.round(value)}`);
      if (options.minutes > 0 && performance.now() > end) break;
    }
  } while (performance.now() < end);
  return results;
}

/** @param {Options} options */
async function main(options) {
  if (!existsSync(join(ROOT, 'dist/esm/index.js'))) throw new Error('dist is missing: run "npm run build" first');
  const { binary } = await provideRedisBinary();
  const { version } = /** @type {{ version: string }} */ (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const versions = versionsOf(await serverVersion(binary), version);
  const means = { faultyNetwork: await NamespaceNetwork.available(), compiler: findCompiler() !== undefined };
  print(versions);
  if (options.measure) return measureReplicas(means, print);

  const wanted = options.short ? shortPlan() : chosenPlan(options);
  const choices = wanted.filter((choice) => missingFor(choice, means) === undefined);
  const left = wanted.filter((choice) => !choices.includes(choice));
  print(heading());
  const results = await runAll(choices, options, means);
  for (const choice of left) print(`not run: ${nameOf(choice)}, which ${missingFor(choice, means)}`);
  if (options.docsTable) print(`\n${docsTable(results, versions)}\n`);
  const failed = results.filter(({ wrong }) => wrong.length > 0).length;
  // Where a machine is known, what it cannot do is a fault of its set-up.
  const missing = process.env['CI'] ? left.length : 0;
  print(`${results.length - failed} passed, ${failed + missing} failed`);
  return failed + missing === 0 && results.length > 0;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) print(USAGE);
  else process.exitCode = (await main(options)) ? 0 : 1;
} catch (error) {
  await close();
  console.error(error instanceof Error && error.message.startsWith('--') ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = 2;
}
