import { openSync, writeSync } from 'node:fs';
import { now } from '../clock.mjs';

/** @import { ClientEvent } from '../types.mjs' */

/**
 * @template T
 * @typedef {T extends unknown ? Omit<T, 'at'> : never} WithoutTime
 */

/** What a process saw, written at once: it may be killed at any moment. */
export class History {
  #file;

  /** @param {string} path */
  constructor(path) {
    this.#file = openSync(path, 'a');
  }

  /**
   * @param {WithoutTime<ClientEvent>} event
   * @param {number} [at]
   */
  note(event, at = now()) {
    writeSync(this.#file, `${JSON.stringify({ at, ...event })}\n`);
  }

  /** For Nest and the library. */
  logger() {
    /** @param {string} level */
    const write = (level) => (/** @type {unknown} */ text) => this.note({ e: 'log', level, text: String(text) });
    return { log: write('log'), warn: write('warn'), error: write('error'), fatal: write('fatal') };
  }
}
