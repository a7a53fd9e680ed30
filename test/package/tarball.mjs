import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCommand } from '../../tools/run-command.mjs';

/** @import { Report } from './report.mjs' */

const root = resolve(import.meta.dirname, '../..');
const ALLOWED =
  /^(dist\/(esm|cjs)\/.+\.(js|js\.map|d\.ts)|dist\/cjs\/package\.json|lua\/.+\.lua|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
const NEEDED = [
  ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'],
  ...['esm', 'cjs'].flatMap((form) => [
    `dist/${form}/index.js`,
    `dist/${form}/index.d.ts`,
    `dist/${form}/testing/index.js`,
    `dist/${form}/testing/index.d.ts`,
  ]),
];

/**
 * @typedef {{ path: string, files: string[] }} Tarball
 *
 * @param {string} folder
 * @returns {Promise<Tarball>}
 */
export async function pack(folder) {
  // The npm script has built already.
  const args = ['pack', root, '--json', '--ignore-scripts'];
  const packed = await runCommand('npm', [...args, '--pack-destination', folder]);
  if (!packed.ok) {
    throw new Error(packed.output);
  }
  /** @type {{ filename: string, files: { path: string }[] }[]} */
  const [result] = JSON.parse(packed.stdout);
  return {
    path: join(folder, result?.filename ?? ''),
    files: result?.files.map((file) => file.path) ?? [],
  };
}

/**
 * @param {Tarball} tarball
 * @param {Report} report
 */
export function checkTarball({ files }, report) {
  const missing = NEEDED.filter((file) => !files.includes(file));
  const extra = files.filter((file) => !ALLOWED.test(file));
  report.add(
    `tarball: ${files.length} files, nothing missing or foreign`,
    missing.length + extra.length === 0,
    `missing: ${missing.join(', ')}\nforeign: ${extra.join(', ')}`,
  );
  const readers = files.filter(
    (file) => file.endsWith('.js') && /['"](node:)?fs(\/promises)?['"]/.test(readFileSync(join(root, file), 'utf8')),
  );
  report.add('tarball: reads no files at run time', readers.length === 0, readers.join('\n'));
}
