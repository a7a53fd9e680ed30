// Runs the tests that use the package as an application on containers does.
//
//   npm run test:containers                   on the engine of this machine
//   npm run test:containers -- --own-engine   on one that is started for it (Debian, root)
//
// Without an engine it starts its own where CI is set and that is possible. Further arguments go to Jest.
import { join } from 'node:path';
import { runCommand } from '../run-command.mjs';
import { whyNoOwnEngine } from './engine-programs.mjs';
import { onOwnEngine } from './own-engine.mjs';
import { runContainers } from './run-containers.mjs';

const OWN_ENGINE = '--own-engine';
const PROBE = join(import.meta.dirname, 'probe-engine.mjs');
const PROBE_TIMEOUT = 180_000;

const wanted = process.argv.includes(OWN_ENGINE);
const jestArguments = process.argv.slice(2).filter((argument) => argument !== OWN_ENGINE);

process.exitCode = (await run()) ? 0 : 1;

/** @returns {Promise<boolean>} */
async function run() {
  if (wanted) return ownEngine();
  const probe = await runCommand(process.execPath, [PROBE], { timeout: PROBE_TIMEOUT });
  if (probe.ok) return runContainers(JSON.parse(probe.stdout), jestArguments);
  const reason = probe.output.split('\n').at(-1) || 'no engine answers';
  return process.env['CI'] ? ownEngine(reason) : notTested(reason);
}

/** @param {string} [noOther] why the engine of the machine cannot be used */
async function ownEngine(noOther) {
  const reason = whyNoOwnEngine();
  if (reason !== undefined) return notTested([noOther, reason].filter(Boolean).join('; '));
  console.log('Starting an engine for these tests');
  try {
    return await onOwnEngine(jestArguments);
  } catch (error) {
    // What cannot be had is one thing; an engine that is there and does not work comes out as failed tests.
    return notTested(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} reason
 * @returns {boolean} whether that is all right
 */
function notTested(reason) {
  console.log(`containers were not tested: ${reason}`);
  return !wanted;
}
