import { execFile } from 'node:child_process';

/**
 * @typedef {object} CommandResult
 * @property {boolean} ok
 * @property {string} stdout
 * @property {string} output stdout and stderr
 */

/**
 * Runs a program to its end. A missing program is a result too.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, timeout?: number, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(file, args, options = {}) {
  return new Promise((resolve) => {
    const settings = {
      maxBuffer: 64 * 1024 * 1024,
      ...options,
      killSignal: /** @type {const} */ ('SIGKILL'),
    };
    execFile(file, args, settings, (error, stdout, stderr) => {
      const reason = error && !stderr ? error.message : '';
      const output = `${stdout}${stderr}${reason}`.trim();
      resolve({ ok: error === null, stdout, output });
    });
  });
}
