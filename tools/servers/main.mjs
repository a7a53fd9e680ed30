// Runs what every server has to do on other servers than that of the usual tests.
//
//   npm run test:servers                          all lines
//   npm run test:servers -- valkey-8.1            one of them
//   npm run test:servers -- redis-6.0 waiting     with arguments for Jest
import { LINES, testsFor } from './lines.mjs';
import { obtainServer } from './obtain-server.mjs';
import { runJest } from '../run-jest.mjs';
import { verdictOf } from './verdict.mjs';

/** @import { LineResult } from './verdict.mjs' */

const [first, ...rest] = process.argv.slice(2);
const named = LINES.filter(({ name }) => name === first);
const lines = named.length > 0 ? named : LINES;
const chosen = named.length > 0 ? rest : process.argv.slice(2);

console.log('Looking for the servers');
const found = await Promise.allSettled(lines.map(obtainServer));

/** @type {LineResult[]} */
const results = [];
for (const [i, line] of lines.entries()) {
  const { name } = line;
  const server = /** @type {PromiseSettledResult<{ binary: string, version: string }>} */ (found[i]);
  if (server.status === 'rejected') {
    results.push({ name, reason: server.reason instanceof Error ? server.reason.message : String(server.reason) });
    continue;
  }
  const { binary, version } = server.value;
  console.log(`\n=== ${name}: ${version}, ${binary}`);
  const env = { REDIS_LOCK_TEST_SERVER: binary, REDIS_LOCK_TEST_PROVIDER: '', REDIS_LOCK_CONTRACT: 'server' };
  results.push({ name, version, ...(await runJest(chosen.length > 0 ? chosen : testsFor(line), env)) });
}

// Who names one line wants that one only.
const verdict = verdictOf(results, Boolean(process.env['CI']) && named.length === 0);
console.log(`\n${verdict.lines.join('\n')}`);
process.exitCode = verdict.ok ? 0 : 1;
