import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { completeManifest, copyProject, root } from './copy.mjs';
import { npm } from './npm.mjs';

/** @typedef {(jestArguments: string[]) => Promise<boolean>} Entry one combination of versions; tells whether all is well */

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** @type {Record<string, Entry>} */
export const entries = {
  node22: (args) => onNode('22', args),
  node24: (args) => onNode('24', args),
  nest11: (args) => withTree('nest11-ioredis5', args),
};

/**
 * The whole test run of this very folder on another Node, whose binary comes from the npm registry.
 *
 * @param {string} version
 * @param {string[]} args
 */
async function onNode(version, args) {
  const folder = mkdtempSync(join(tmpdir(), `node${version}-`));
  try {
    const platform = process.platform === 'win32' ? 'win' : process.platform;
    const name = `node-${platform}-${process.arch}`;
    const install = ['install', `${name}@${version}`, '--prefix', folder, '--no-save', ...QUIET];
    if (!(await npm(install, { cwd: folder }))) return false;
    const file = process.platform === 'win32' ? 'node.exe' : 'node';
    const node = join(folder, 'node_modules', name, 'bin', file);
    console.log(`Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
    // What npm starts, and what tests start, is found here.
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
    return await npm(['test', '--', ...args], { cwd: root, node, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Types, build and tests of a copy of this folder with other dependencies: companions of one major of Nest rarely take the
 * next one too, so all of them have to change together.
 *
 * @param {string} tree folder in test/matrix/
 * @param {string[]} args
 */
async function withTree(tree, args) {
  const cwd = copyProject(tree);
  try {
    if (!(await npm(['ci', '--include=dev', '--prefer-offline', ...QUIET], { cwd }))) return false;
    completeManifest(cwd);
    for (const script of ['build', 'typecheck', 'build:sample']) {
      if (!(await npm(['run', script], { cwd }))) return false;
    }
    const chosen = args.includes('--selectProjects')
      ? args
      : [...args, '--selectProjects', 'unit', 'integration', 'e2e'];
    return await npm(['run', 'jest', '--', ...chosen], { cwd });
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
  }
}
