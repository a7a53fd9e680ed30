import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

/** @typedef {Record<string, unknown>} Manifest */

export const root = resolve(import.meta.dirname, '../..');
/** What is made from the rest, and the configuration of a tool that the other trees do not have. */
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'coverage', 'eslint.config.mjs', join('bench', 'node_modules')];

/**
 * Copies the project, with the lock file of another tree of dependencies.
 *
 * @param {string} tree folder in test/matrix/
 * @returns {string} the folder of the copy
 */
export function copyProject(tree) {
  const folder = mkdtempSync(join(tmpdir(), `${tree}-`));
  cpSync(root, folder, { recursive: true, filter: (path) => !LEFT_OUT.includes(relative(root, path)) });
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(root, 'test/matrix', tree, file), join(folder, file));
  }
  return folder;
}

/**
 * Gives the copy the scripts and the entry points of the project, which the installation could not have: `npm ci` wants the
 * very dependencies of the lock file.
 *
 * @param {string} folder
 */
export function completeManifest(folder) {
  const file = join(folder, 'package.json');
  const project = readManifest(join(root, 'package.json'));
  const { dependencies, devDependencies } = readManifest(file);
  writeFileSync(file, JSON.stringify({ ...project, dependencies, devDependencies }, null, 2));
}

/**
 * @param {string} file
 * @returns {Manifest}
 */
const readManifest = (file) => JSON.parse(readFileSync(file, 'utf8'));
