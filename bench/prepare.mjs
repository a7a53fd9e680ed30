import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'dist/esm/index.js');

/**
 * Builds the package where a source is younger than its build, and installs the peers where they are missing.
 *
 * @param {{ peers: boolean }} what
 */
export function prepare({ peers }) {
  if (!existsSync(BUILT) || newest(['lib', 'lua']) > statSync(BUILT).mtimeMs) npm(['run', '--silent', 'build']);
  // Engine warnings are noise: what does not run here shows as such in the tables.
  if (peers && !isInstalled()) npm(['ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** @param {string[]} folders */
function newest(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).filter(
      // The build makes this one itself.
      (entry) => entry.isFile() && !entry.name.includes('.generated.'),
    ),
  );
  return Math.max(...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs));
}

/** @param {string} file @returns {Record<string, { version?: string }>} */
const packagesOf = (file) =>
  /** @type {{ packages: Record<string, { version?: string }> }} */ (
    JSON.parse(readFileSync(join(ROOT, 'bench', file), 'utf8'))
  ).packages;

function isInstalled() {
  if (!existsSync(join(ROOT, 'bench/node_modules/.package-lock.json'))) return false;
  const there = packagesOf('node_modules/.package-lock.json');
  const wanted = Object.entries(packagesOf('package-lock.json')).filter(([path]) => path !== '');
  return wanted.every(([path, { version }]) => there[path]?.version === version);
}

/** @param {string[]} args */
function npm(args) {
  // npm is a script file on Windows.
  const { status, error } = spawnSync('npm', args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error !== undefined || status !== 0) throw new Error(`npm ${args.join(' ')} failed`, { cause: error });
}
