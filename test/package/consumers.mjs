import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../tools/run-command.mjs';

/** @import { Report } from './report.mjs' */

const SOURCES = join(import.meta.dirname, 'consumers');
/** Files of consumers/shared that every project gets. */
const SHARED = [
  ...['smoke.cjs', 'loads.cjs', 'loads.mjs', 'both-copies.mjs', 'foreign-client.cjs'],
  ...['orders.spec.ts', 'app.ts', 'swc.cjs', 'without-lua.mjs', 'with-lua.mjs'],
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
 * @property {string[]} types names under which it has the file types.ts
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
    types: ['types.ts', 'types.mts', 'types.cts'],
    checks: [
      ['ESM import (BC-78)', 'loads.mjs'],
      ['CommonJS require (BC-78)', 'loads.cjs'],
      ['both copies in one process (BC-78)', 'both-copies.mjs'],
      ['the testing entry without Lua', 'without-lua.mjs'],
      ['a client of another ioredis, of major 5 and a second one of 6 (BC-78)', 'foreign-client.cjs'],
      ['Jest, ESM (BC-78)', '--experimental-vm-modules', JEST],
      ['compiled by SWC, ESM (BC-78)', 'swc.cjs', 'es6'],
      ['compiled by SWC, CommonJS (BC-78)', 'swc.cjs', 'commonjs'],
      ['types, nodenext, ESM and CommonJS (BC-78)', TSC],
      ['types, bundler (BC-78)', TSC, '-p', 'tsconfig.bundler.json'],
    ],
  },
  {
    name: 'nest11',
    types: ['types.ts', 'types.mts'],
    checks: [
      ['ESM import (BC-78)', 'loads.mjs'],
      ['CommonJS require (BC-78)', 'loads.cjs'],
      ['both copies in one process (BC-78)', 'both-copies.mjs'],
      ['the testing entry without Lua', 'without-lua.mjs'],
      ['a client of another ioredis, of major 6 and a second one of 5 (BC-78)', 'foreign-client.cjs'],
      ['Jest, CommonJS (BC-78)', JEST],
      ['compiled by SWC, CommonJS (BC-78)', 'swc.cjs', 'commonjs'],
      ['types, nodenext, CommonJS (BC-78)', TSC],
      ['types, node16, ESM and CommonJS (BC-78)', TSC, '-p', 'tsconfig.node16.json'],
      ['types, node10 (BC-78)', TSC, '-p', 'tsconfig.node10.json'],
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
export async function checkConsumer({ name, types, checks }, surroundings) {
  const { folder, tarball, redisUrl, report } = surroundings;
  const project = join(folder, name);
  cpSync(join(SOURCES, name), project, { recursive: true });
  for (const file of SHARED) copyFileSync(join(SOURCES, 'shared', file), join(project, file));
  for (const copy of types) copyFileSync(join(SOURCES, 'shared', 'types.ts'), join(project, copy));
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
  const lua = await runCommand('npm', [...INSTALL, 'wasmoon-lua5.1@~1.18.10'], options);
  const locked = lua.ok ? await runCommand(process.execPath, ['with-lua.mjs'], options) : lua;
  report.add(`${name}: the testing entry with Lua`, locked.ok, locked.output);
}
