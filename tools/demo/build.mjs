import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const SAMPLE_MAIN = join(ROOT, 'dist/sample-app/main.js');

const steps = [
  {
    what: 'the library',
    sources: ['lib', 'lua', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.cjs.json'],
    result: 'dist/esm/index.js',
    command: ['tools/build.mjs'],
  },
  {
    what: 'the sample app',
    sources: ['sample-app/src', 'sample-app/tsconfig.app.json'],
    result: 'dist/sample-app/main.js',
    command: ['node_modules/@nestjs/cli/bin/nest.js', 'build', 'sample-app'],
  },
];

/**
 * Builds what is missing or older than its sources.
 *
 * @param {(line: string) => void} log
 */
export function ensureBuilt(log) {
  for (const { what, sources, result, command } of steps) {
    const newest = Math.max(...sources.map((source) => changedAt(join(ROOT, source))));
    if (changedAt(join(ROOT, result)) >= newest) continue;
    log(`Building ${what} ...`);
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      cwd: ROOT,
      encoding: 'utf8',
    });
    if (status !== 0) {
      // The compiler writes its files even so; they must not look new.
      rmSync(join(ROOT, result), { force: true });
      throw new Error(`${what} does not build:\n${stdout}${stderr}`);
    }
  }
}

/**
 * @param {string} path a file, or a folder for the newest file in it
 * @returns {number} 0 when it is not there
 */
function changedAt(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return path.includes('.generated.') ? 0 : stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}
