// Runs the tests on other versions of Node, Nest and ioredis than those of the main tree.
//
//   npm run test:matrix                        all entries
//   npm run test:matrix -- nest11              one of them
//   npm run test:matrix -- nest11 module.spec  with arguments for Jest
import { entries } from './entries.mjs';
import { passOnSignals } from './npm.mjs';

const [wanted, ...jestArguments] = process.argv.slice(2);
const names = wanted === undefined ? Object.keys(entries) : [wanted];

passOnSignals();
/** @type {[name: string, ok: boolean][]} */
const verdicts = [];
for (const name of names) {
  const entry = entries[name];
  if (!entry) throw new Error(`No entry ${name}; there are ${Object.keys(entries).join(', ')}`);
  console.log(`\n=== ${name}`);
  verdicts.push([name, await entry(jestArguments)]);
}
console.log();
for (const [name, ok] of verdicts) console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}`);
process.exitCode = verdicts.every(([, ok]) => ok) ? 0 : 1;
