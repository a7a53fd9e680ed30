import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Batch } from './batch.js';

const LOADER = new URL('../../workers/typescript.mjs', import.meta.url).href;
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs the simulation in a process of its own; what it finds wrong is no error here. */
export function simulate(...args: string[]): Promise<Batch[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', LOADER, MAIN, ...args, '--json'], (_error, stdout, stderr) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      if (lines.length === 0) reject(new Error(stderr || 'The simulation said nothing.'));
      else resolve(lines.map((line) => JSON.parse(line) as Batch));
    });
  });
}
