import { fork } from 'node:child_process';
import { join } from 'node:path';

/** @import { Contender } from '../contenders/types.mjs' */

const PROGRAM = join(import.meta.dirname, 'worker-process.mjs');

/** A process of an application that uses one of the contenders, seen from the run. */
export class Worker {
  #child;
  #lastId = 0;
  #output = '';
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #pending = new Map();

  /** @param {string[]} [execArgv] */
  constructor(execArgv = []) {
    this.#child = fork(PROGRAM, [], { execArgv, serialization: 'advanced', stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => (this.#output += String(chunk)));
    }
    this.#child.on('message', (/** @type {any} */ message) => this.#answered(message));
    this.#child.once('close', (code, signal) => {
      const error = new Error(`process ${this.#child.pid} ended (${signal ?? code})\n${this.#output.slice(-2000)}`);
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    });
  }

  /**
   * @param {Contender} contender
   * @param {string} url
   * @returns {Promise<void>}
   */
  open(contender, url) {
    return this.#call('open', contender, url);
  }

  /**
   * Runs `jobs/<name>.mjs` there.
   *
   * @param {string} name
   * @param {object} [order]
   * @returns {Promise<any>}
   */
  job(name, order = {}) {
    return this.#call('job', name, order);
  }

  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('close', resolve));
    // Peers that wait for ever do not end by themselves.
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 500);
    this.#call('close').catch(() => undefined);
    await gone;
    clearTimeout(timer);
  }

  /** @param {string} command @param {unknown[]} args @returns {Promise<any>} */
  #call(command, ...args) {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ id, command, args }, (error) => error && reject(error));
    });
  }

  /** @param {{ id: number, result?: unknown, error?: string }} answer */
  #answered({ id, result, error }) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(error));
  }
}
