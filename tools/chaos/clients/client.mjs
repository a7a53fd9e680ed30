import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { notePid } from '../lab/clean-up.mjs';
import { onHost } from '../lab/network.mjs';

/** @import { Lab } from '../lab/lab.mjs' */
/** @import { ClientSettings } from '../types.mjs' */
/** @import { Commands } from './commands.mjs' */

const PROGRAM = join(import.meta.dirname, 'client-process.mjs');

/** One client process, seen from the run. */
export class Client {
  /** Killed by the run, or closed. */
  ended = false;
  frozen = false;
  /** It ended by itself, which none should. @type {string | undefined} */
  failure;
  #child;
  #output = '';
  #lastId = 0;
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #pending = new Map();
  #ready;
  #exited;

  /**
   * @param {Lab} lab
   * @param {ClientSettings} settings
   */
  constructor(lab, settings) {
    const [file, args] = onHost(lab.clientHost, process.execPath, [PROGRAM, JSON.stringify(settings)]);
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
    notePid(lab.dir, child.pid);
    this.name = settings.name;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (this.#output += String(chunk)));
    this.#exited = once(child, 'close').then(([code, signal]) => this.#gone(String(signal ?? code)));
    this.#ready = new Promise((resolve, reject) => {
      child.on('message', (/** @type {any} */ message) =>
        message.ready ? resolve(undefined) : this.#answered(message),
      );
      child.once('close', () => reject(new Error(`${this.name} did not start:\n${this.#output}`)));
    });
    this.#ready.catch(() => undefined);
  }

  ready() {
    return this.#ready;
  }

  /**
   * @template {keyof Commands} C
   * @param {C} command
   * @param {Parameters<Commands[C]>} args
   * @returns {Promise<Awaited<ReturnType<Commands[C]>>>}
   */
  call(command, ...args) {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(new Error(`${this.name} is gone`));
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ id, command, args });
    });
  }

  freeze() {
    this.frozen = true;
    this.#child.kill('SIGSTOP');
  }

  thaw() {
    this.frozen = false;
    this.#child.kill('SIGCONT');
  }

  async kill() {
    this.ended = true;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** @param {{ id: number, result?: unknown, error?: string }} answer */
  #answered({ id, result, error }) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(`${this.name}: ${error}`));
  }

  /** @param {string} how */
  #gone(how) {
    if (!this.ended) this.failure = `${this.name} ended by itself (${how}): ${this.#output.slice(-2000)}`;
    this.ended = true;
    for (const { reject } of this.#pending.values()) reject(new Error(`${this.name} ended (${how})`));
    this.#pending.clear();
  }
}
