import { fileURLToPath } from 'node:url';
import { findNamedServer, findServerOnPath } from './find-server.mjs';
import { installServer } from './install-server.mjs';
import { runCommand } from '../run-command.mjs';

/** @import { ProcessProvider, RedisProvider } from './types.mjs' */

/** Tells child processes what their parent found out. */
const DECISION_VARIABLE = 'REDIS_LOCK_TEST_PROVIDER';
const PROBE = fileURLToPath(new URL('./docker-probe.mjs', import.meta.url));
// The stages of the probe have shorter limits of their own.
const PROBE_TIMEOUT = 180_000;

/**
 * @typedef {object} Sources where a Redis may come from, in this order
 * @property {() => string | undefined} named
 * @property {() => Promise<string | undefined>} docker an image that runs
 * @property {() => string | undefined} onPath
 * @property {() => Promise<string>} install rejects with what to do
 */

/**
 * @param {Sources} sources
 * @returns {Promise<RedisProvider>}
 */
export async function chooseProvider(sources) {
  const named = sources.named();
  if (named !== undefined) {
    return { kind: 'process', binary: named };
  }
  const image = await sources.docker();
  return image === undefined ? chooseBinary(sources) : { kind: 'container', image };
}

/**
 * @param {Omit<Sources, 'docker'>} sources
 * @returns {Promise<ProcessProvider>}
 */
export async function chooseBinary(sources) {
  const found = sources.named() ?? sources.onPath();
  return { kind: 'process', binary: found ?? (await sources.install()) };
}

/**
 * In a process of its own: an engine or registry that never answers can be
 * ended, and leaves no open handles behind.
 *
 * @returns {Promise<string | undefined>}
 */
async function probeDocker() {
  const probe = await runCommand(process.execPath, [PROBE], {
    timeout: PROBE_TIMEOUT,
  });
  return probe.ok ? probe.stdout.trim() : undefined;
}

/** @type {Sources} */
const thisMachine = {
  named: findNamedServer,
  docker: probeDocker,
  onPath: findServerOnPath,
  install: () => installServer(console.error),
};

/** @type {Promise<RedisProvider> | undefined} */
let decided;

/**
 * Decides where servers come from, once for this process and its children.
 *
 * @returns {Promise<RedisProvider>}
 */
export function provideRedis() {
  decided ??= decideFor(process.env);
  return decided;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<RedisProvider>}
 */
async function decideFor(env) {
  const inherited = env[DECISION_VARIABLE];
  if (inherited) {
    return /** @type {RedisProvider} */ (JSON.parse(inherited));
  }
  const provider = await chooseProvider(thisMachine);
  env[DECISION_VARIABLE] = JSON.stringify(provider);
  return provider;
}

/** @type {Promise<ProcessProvider> | undefined} */
let decidedBinary;

/**
 * The same for those who need a local process.
 *
 * @returns {Promise<ProcessProvider>}
 */
export function provideRedisBinary() {
  decidedBinary ??= chooseBinary(thisMachine);
  return decidedBinary;
}
