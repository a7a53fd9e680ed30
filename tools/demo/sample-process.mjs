import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { startGuard } from '../redis/guard.mjs';
import { SAMPLE_MAIN } from './build.mjs';
import { waitFor } from './wait.mjs';

const START_TIMEOUT = 30_000;
const PATIENCE = 12_000;
const REQUEST_TIMEOUT = 30_000;

/**
 * @typedef {object} Answer
 * @property {number} status 0 when there was none
 * @property {any} body
 */

/** One process of the sample app. */
export class SampleProcess {
  #child;
  #dismissGuard;
  /** @type {string[]} */
  #output = [];
  url = '';

  /**
   * @param {Record<string, string>} env
   * @param {(line: string) => void} [onLine]
   */
  constructor(env, onLine) {
    this.#child = spawn(process.execPath, ['--enable-source-maps', SAMPLE_MAIN], {
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.pid = this.#child.pid ?? 0;
    this.#dismissGuard = startGuard('sh', ['-c', 'read -r _; kill -9 "$1"', 'guard', `${this.pid}`]);
    this.#child.once('exit', this.#dismissGuard);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface(stream).on('line', (line) => {
        this.#output.push(line);
        onLine?.(line);
      });
    }
  }

  /** Until it has ended, for whatever reason. */
  async ended() {
    if (!this.#gone) await once(this.#child, 'exit');
  }

  get #gone() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async ready() {
    try {
      this.url = await waitFor('it to listen', () => this.#listeningOn(), START_TIMEOUT);
    } catch (error) {
      const output = this.#output.join('\n');
      throw new Error(`the sample app did not start:\n${output}`, {
        cause: error,
      });
    }
  }

  #listeningOn() {
    if (this.#gone) throw new Error('it ended');
    return this.#output.map((line) => /listening on (http\S+),/.exec(line)?.[1]).find(Boolean);
  }

  /**
   * @param {string} path
   * @returns {Promise<Answer>}
   */
  get(path) {
    return this.#request(path, {});
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {{ arrival?: number, method?: string }} [options] `arrival`: which one this is, for the journal
   * @returns {Promise<Answer>}
   */
  post(path, body, { arrival, method = 'POST' } = {}) {
    /** @type {Record<string, string>} */
    const headers = { 'content-type': 'application/json' };
    if (arrival !== undefined) headers['x-arrival'] = `${arrival}`;
    return this.#request(path, { method, headers, body: JSON.stringify(body) });
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   * @returns {Promise<Answer>}
   */
  async #request(path, init) {
    try {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT);
      const response = await fetch(`${this.url}${path}`, { ...init, signal });
      return { status: response.status, body: await response.json() };
    } catch (error) {
      // A killed process gives no answer, and one of the scenes kills one.
      return { status: 0, body: String(error) };
    }
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.#child.kill(signal);
  }

  /**
   * Lets it end its work; if it does not, ends it.
   *
   * @param {number} [patience] ms
   */
  async stop(patience = PATIENCE) {
    if (this.#gone) return;
    const exit = this.ended();
    // A frozen process would not see the other signal.
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGTERM');
    const done = new AbortController();
    await Promise.race([exit, setTimeout(patience, undefined, { signal: done.signal })]);
    done.abort();
    this.#child.kill('SIGKILL');
    await exit;
  }
}
