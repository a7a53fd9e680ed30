// The first process of the namespaces that own-engine.mjs makes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../run-command.mjs';
import { importImage } from './import-image.mjs';
import { NO_ENGINE } from './own-engine.mjs';
import { runContainers } from './run-containers.mjs';

/** @import { Image } from './images.mjs' */

const START_TIMEOUT = 60_000;
/** @type {Image[]} */
const IMAGES = [
  { product: 'redis', name: 'redis-lock-test/redis:8' },
  { product: 'valkey', name: 'redis-lock-test/valkey:8' },
];

const [settings = '', ...jestArguments] = process.argv.slice(2);
/** @type {{ dir: string, group: string, root: string, engine: NodeJS.ProcessEnv }} */
const { dir, group, root, engine } = JSON.parse(settings);
const socket = `unix://${join(dir, 'docker.sock')}`;
const env = { ...process.env, ...engine, DOCKER_HOST: socket };

const dockerd = await prepare().catch((/** @type {Error} */ { message }) => {
  console.error(message);
  process.exit(NO_ENGINE);
});
try {
  // A port is published in this namespace, whatever testcontainers makes of the machine.
  const here = { DOCKER_HOST: socket, TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1' };
  process.exitCode = (await runContainers(IMAGES, jestArguments, here)) ? 0 : 1;
} finally {
  dockerd.kill('SIGTERM');
  await Promise.race([once(dockerd, 'exit'), sleep(15_000)]);
}
process.exit();

/** The network, the engine and its images. */
async function prepare() {
  await run('ip', ['link', 'set', 'lo', 'up']);
  const started = await startEngine();
  for (const { name } of IMAGES) await importImage({ root, name, env });
  return started;
}

async function startEngine() {
  const logFile = join(dir, 'dockerd.log');
  const log = openSync(logFile, 'w');
  const places = { 'data-root': 'data', 'exec-root': 'exec', pidfile: 'dockerd.pid' };
  const options = [
    ...Object.entries(places).flatMap(([option, name]) => [`--${option}`, join(dir, name)]),
    ...['--host', socket, '--bip', '172.30.0.1/24', '--log-level', 'warn'],
    ...['--exec-opt', 'native.cgroupdriver=cgroupfs', '--cgroup-parent', `/${group}`],
  ];
  const child = spawn('dockerd', options, { env, stdio: ['ignore', log, log] });
  closeSync(log);
  child.on('error', () => undefined);
  const end = performance.now() + START_TIMEOUT;
  while (!(await runCommand('docker', ['version'], { env })).ok) {
    if (performance.now() > end || child.exitCode !== null || child.pid === undefined) {
      console.error(readFileSync(logFile, 'utf8').split('\n').slice(-10).join('\n'));
      throw new Error('the engine did not start');
    }
    await sleep(100);
  }
  return child;
}

/**
 * @param {string} file
 * @param {string[]} args
 */
async function run(file, args) {
  const { ok, output } = await runCommand(file, args, { env });
  if (!ok) throw new Error(`${file} ${args.join(' ')}: ${output}`);
}
