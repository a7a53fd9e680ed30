// Everything that a lab starts is written down in its folder first, so that whoever comes last can end it: the run itself, or
// a guard when the run was killed. Run as a program, this waits for the end of its standard input and then cleans up.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { runCommand } from '../../run-command.mjs';

const PIDS = 'pids';
const NAMESPACES = 'namespaces';

/**
 * When a process started: together with its number it names one process for ever. Numbers alone are used again.
 *
 * @param {number} pid
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/**
 * @param {string} dir
 * @param {number | undefined} pid
 */
export function notePid(dir, pid) {
  if (pid === undefined) return;
  mkdirSync(join(dir, PIDS), { recursive: true });
  writeFileSync(join(dir, PIDS, `${pid}`), startOf(pid));
}

/**
 * @param {string} dir
 * @param {string} name
 */
export function noteNamespace(dir, name) {
  appendFileSync(join(dir, NAMESPACES), `${name}\n`);
}

/** @param {string} dir */
export async function cleanUp(dir) {
  const pids = existsSync(join(dir, PIDS)) ? readdirSync(join(dir, PIDS)).map(Number) : [];
  for (const pid of pids) {
    if (startOf(pid) !== readFileSync(join(dir, PIDS, `${pid}`), 'utf8')) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone by itself.
    }
  }
  if (existsSync(join(dir, NAMESPACES))) {
    const names = readFileSync(join(dir, NAMESPACES), 'utf8').split('\n').filter(Boolean);
    for (const name of names) await runCommand('ip', ['netns', 'del', name]);
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

if (process.argv[1] === import.meta.filename) {
  const [dir = ''] = process.argv.slice(2);
  process.stdin.resume();
  await once(process.stdin, 'end');
  if (dir !== '') await cleanUp(dir);
}
