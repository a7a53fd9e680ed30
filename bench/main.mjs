// Locks side by side on a Redis of their own; see README.md.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { startRedisProcess } from '../tools/redis/index.mjs';
import { Pool } from './measure/pool.mjs';
import { roundTrip } from './measure/round-trip.mjs';
import { ServerCounters } from './measure/server-counters.mjs';
import { readOptions, USAGE } from './options.mjs';
import { prepare } from './prepare.mjs';
import { surroundings } from './report/surroundings.mjs';
import { showProfiles } from './report/profiles.mjs';
import { showResult } from './report/table.mjs';
import { judge } from './report/targets.mjs';
import { showVerdicts } from './report/verdicts.mjs';

/**
 * @import { Bench, Result, Workload } from './measure/types.mjs'
 * @import { Options } from './options.mjs'
 */

const print = (/** @type {string} */ text) => void console.log(text);
/** @type {(() => unknown)[]} what ends what was started, the last one first */
const endings = [];

async function close() {
  for (const end of endings.splice(0).reverse()) await end();
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => void close().finally(() => process.exit(130)));
}

/**
 * @param {Workload} workload
 * @param {Bench} bench
 * @returns {Promise<Result>}
 */
async function measure({ id, title, run }, bench) {
  try {
    return { id, title, ...(await run(bench)) };
  } catch (error) {
    return { id, title: `${title}: did not run, ${/** @type {Error} */ (error).message}`, rows: [], facts: [] };
  }
}

/** @param {readonly number[]} load averages */
const busy = ([lastMinute = 0]) => lastMinute > cpus().length / 2;

/** @param {Options} options */
async function main(options) {
  prepare(options);
  const began = performance.now();
  const load = loadavg();
  if (busy(load))
    print(`The load average is ${load[0]?.toFixed(1)}: others are busy on this machine, and the figures will show it.`);
  const server = await startRedisProcess();
  endings.push(() => server.stop());
  const counters = new ServerCounters(server.url);
  endings.push(() => counters.close());
  const pool = new Pool();
  endings.push(() => pool.close());
  const trip = await roundTrip(counters);

  /** @type {Result[]} */
  const results = [];
  for (const workload of options.workloads) {
    const result = await measure(workload, { url: server.url, port: server.port, pool, counters, options });
    results.push(result);
    print(showResult(result, options.markdown));
  }
  print(showVerdicts(results, options.markdown));
  if (options.profile) print(showProfiles(results, options.markdown));

  const { versions, peers, machine, load: after } = surroundings(server.version, options.peers);
  const settings = `${options.rounds} rounds of ${options.seconds} s, medians; round trip of PING ${trip.toFixed(3)} ms`;
  const loads = `load average ${load.map((one) => one.toFixed(2)).join(' ')} before, ${after} after`;
  const took = `${Math.round((performance.now() - began) / 1000)} s`;
  print(['', versions, `peers: ${peers}`, machine, settings, `${loads}; took ${took}`].join('\n'));
  if (options.json !== undefined) {
    const verdicts = judge(results).map(({ of: _, ...rest }) => rest);
    writeFileSync(
      options.json,
      JSON.stringify({ versions, peers, machine, settings, loads, results, verdicts }, null, 2),
    );
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) print(USAGE);
  else await main(options);
} catch (error) {
  console.error(error instanceof Error && error.message.startsWith('--') ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = 2;
} finally {
  await close();
}
