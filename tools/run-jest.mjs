import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/**
 * Runs Jest to its end; what it prints is printed.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ passed: number, failed: number }>} anything else that went wrong counts as one failure
 */
export async function runJest(args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'jest-counts-'));
  const file = join(folder, 'counts.json');
  try {
    const jest = spawn(process.execPath, [...JEST, '--json', `--outputFile=${file}`, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      // The counts also go to the output, in one long line.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(jest, 'exit');
    const { numPassedTests: passed, numFailedTests: failed } = readCounts(file);
    return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} file
 * @returns {{ numPassedTests: number, numFailedTests: number }}
 */
function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 };
  }
}
