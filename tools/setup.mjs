// Installs the dependencies when they are missing or not those of the lock
// file, so that one command is enough after a clone. Imports nothing but Node.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean }} Entry
 *
 * @param {string} file
 * @returns {Map<string, Entry>}
 */
function readLock(file) {
  const lock = /** @type {{ packages: Record<string, Entry> }} */ (
    JSON.parse(readFileSync(resolve(root, file), 'utf8'))
  );
  return new Map(Object.entries(lock.packages).filter(([path]) => path !== ''));
}

/**
 * Compares contents: file dates say nothing after a checkout or a copy.
 *
 * @returns {boolean}
 */
function isInstalled() {
  try {
    const installed = readLock('node_modules/.package-lock.json');
    return [...readLock('package-lock.json')].every(([path, entry]) => {
      const there = installed.get(path);
      // Optional packages are often for another platform.
      return there ? there.version === entry.version : entry.optional;
    });
  } catch {
    return false;
  }
}

/** @param {string[]} args */
function npm(args) {
  const { status, error } = spawnSync('npm', args, {
    cwd: root,
    stdio: 'inherit',
    // npm is a script file on Windows.
    shell: process.platform === 'win32',
  });
  if (error !== undefined || status !== 0) {
    console.error(`npm ${args.join(' ')} failed`, error ?? `(exit ${status})`);
    process.exit(status ?? 1);
  }
}

if (!isInstalled()) {
  console.log('Installing dependencies (npm ci)');
  // Tools are needed whatever NODE_ENV says; their engine warnings are noise.
  npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}
