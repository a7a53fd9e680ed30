import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from './wait.mjs';

/** @import { JournalEntry } from '../../sample-app/src/journal/journal-entry.interface.js' */

/** What the processes wrote down, each in a file of its own. */
export class Journals {
  #folder = mkdtempSync(join(tmpdir(), 'redis-lock-demo-'));
  #files = 0;

  nextFile() {
    this.#files += 1;
    return join(this.#folder, `process-${this.#files}.jsonl`);
  }

  /**
   * @param {string} [section]
   * @returns {JournalEntry[]} in the order of time
   */
  read(section) {
    return readdirSync(this.#folder)
      .flatMap((file) => {
        const text = readFileSync(join(this.#folder, file), 'utf8');
        // What comes after the last line feed is still being written.
        return text.split('\n').slice(0, -1);
      })
      .map((line) => /** @type {JournalEntry} */ (JSON.parse(line)))
      .filter((entry) => section === undefined || entry.section === section)
      .sort((a, b) => a.at - b.at);
  }

  /**
   * @param {string} section
   * @param {string} event
   * @param {number} pid
   */
  waitFor(section, event, pid) {
    return waitFor(`process ${pid} to ${event} ${section}`, () =>
      this.read(section).find((entry) => entry.event === event && entry.pid === pid),
    );
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
