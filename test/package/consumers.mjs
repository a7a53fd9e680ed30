import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../tools/run-command.mjs';

/** @import { Report } from './report.mjs' */

const SOURCES = join(import.meta.dirname, 'consumers');
/** @type {[source: string, copy: string][]} */
const SHARED = [
  ['smoke.cjs', 'smoke.cjs'],
  ['loads.cjs', 'loads.cjs'],
  ['orders.spec.ts', 'orders.spec.ts'],
];
const JEST = 'node_modules/jest/bin/jest.js';
const TSC = 'node_modules/typescript/bin/tsc';
const INSTALL = [
  ...['install', '--no-package-lock', '--no-audit', '--no-fund'],
  ...['--prefer-offline', '--loglevel=error'],
];

/**
 * @typedef {object} Consumer a project that has the tarball as a dependency
 * @property {string} name folder in consumers/
 * @property {[source: string, copy: string][]} copies files that all share
 * @property {[what: string, ...args: string[]][]} checks arguments of node
 *
 * @typedef {object} Surroundings
 * @property {string} folder
 * @property {string} tarball
 * @property {string} redisUrl
 * @property {Report} report
 */

/** @type {Consumer[]} */
export const consumers = [
  {
    name: 'nest12',
    copies: [
      ['types.ts', 'types.ts'],
      ['types.ts', 'types.mts'],
      ['types.ts', 'types.cts'],
    ],
    checks: [
      ['ESM import', 'loads.mjs'],
      ['CommonJS require', 'loads.cjs'],
      ['both copies in one process', 'both-copies.mjs'],
      ['Jest, ESM', '--experimental-vm-modules', JEST],
      ['types, nodenext, ESM and CommonJS', TSC],
      ['types, bundler', TSC, '-p', 'tsconfig.bundler.json'],
    ],
  },
  {
    name: 'nest11',
    copies: [['types.ts', 'types.ts']],
    checks: [
      ['CommonJS require', 'loads.cjs'],
      ['Jest, CommonJS', JEST],
      ['types, nodenext, CommonJS', TSC],
      ['types, node10', TSC, '-p', 'tsconfig.node10.json'],
    ],
  },
];

/**
 * @param {string} project
 * @returns {string} which versions it got
 */
function describeVersions(project) {
  const versions = ['@nestjs/core', 'ioredis', 'typescript'].map((name) => {
    const file = join(project, 'node_modules', name, 'package.json');
    /** @type {{ version: string }} */
    const { version } = JSON.parse(readFileSync(file, 'utf8'));
    return `${name} ${version}`;
  });
  return versions.join(', ');
}

/**
 * @param {Consumer} consumer
 * @param {Surroundings} surroundings
 */
export async function checkConsumer({ name, copies, checks }, surroundings) {
  const { folder, tarball, redisUrl, report } = surroundings;
  const project = join(folder, name);
  cpSync(join(SOURCES, name), project, { recursive: true });
  for (const [source, copy] of [...SHARED, ...copies]) {
    copyFileSync(join(SOURCES, 'shared', source), join(project, copy));
  }
  copyFileSync(tarball, join(project, 'nestjs-redis-lock.tgz'));
  const env = { ...process.env, REDIS_URL: redisUrl };
  const options = { cwd: project, env, timeout: 240_000 };
  const install = await runCommand('npm', INSTALL, options);
  const got = install.ok ? ` (${describeVersions(project)})` : '';
  report.add(`${name}: npm install${got}`, install.ok, install.output);
  for (const [what, ...args] of checks) {
    const { ok, output } = await runCommand(process.execPath, args, options);
    report.add(`${name}: ${what}`, ok, output);
  }
}
