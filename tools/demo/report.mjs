import { bold, cyan, dim, green, red } from './colours.mjs';
import { drawLane, liveliest, spanOf } from './timeline.mjs';

/** @import { Section, Verdict } from './verdicts.mjs' */
/** @typedef {Parameters<typeof drawLane>[2]} Mark */

const WIDTH = 72;
const TITLE_WIDTH = 40;

/** @param {string} [line] */
export const print = (line = '') => process.stdout.write(`${line}\n`);

/** Prints the story and keeps count of the checks. */
export class Report {
  #chapter = 0;
  /** @type {string[]} */
  #failed = [];
  #checks = 0;
  #start = performance.now();

  /** @param {string} title */
  chapter(title) {
    this.#chapter += 1;
    print();
    print(bold(`${this.#chapter}. ${title}`));
  }

  /**
   * How to read what comes.
   *
   * @param {string} text
   */
  legend(text) {
    print(dim(`   ${text}`));
  }

  /** @param {string} text */
  note(text) {
    print(`   ${text}`);
  }

  /**
   * @param {string} title
   * @param {Verdict} verdict
   */
  check(title, { ok, figures }) {
    this.#checks += 1;
    if (!ok) this.#failed.push(title);
    const sign = ok ? green('✓') : red('✗');
    print(`   ${sign} ${title.padEnd(TITLE_WIDTH)} ${ok ? dim(figures) : red(figures)}`);
  }

  /**
   * One lane per process.
   *
   * @param {readonly Section[]} sections
   * @param {readonly number[]} pids
   * @param {{ mark: Mark, most?: number, total?: Mark }} drawing `most`: how
   *   many sections to show
   */
  timeline(sections, pids, { mark, most = sections.length, total }) {
    const shown = liveliest(sections, most);
    const { from, to } = spanOf(shown);
    if (!(to > from)) return;
    const scale = { from, to, width: WIDTH };
    for (const pid of pids) {
      const own = shown.filter((section) => section.pid === pid);
      this.#lane(`pid ${pid}`, cyan(drawLane(own, scale, mark)));
    }
    if (total) this.#lane('together', drawLane(shown, scale, total));
    const start = spanOf(sections).from;
    const [left, right] = [from, to].map((at) => `${Math.round(at - start)} ms`);
    const part = shown.length < sections.length ? `(${shown.length} of ${sections.length} sections)` : '';
    this.#lane('', dim(`${left} ${part}`.padEnd(WIDTH - String(right).length) + right));
  }

  /**
   * @param {string} name
   * @param {string} lane
   */
  #lane(name, lane) {
    print(`   ${dim(name.padEnd(12))}${lane}`);
  }

  /** @returns {boolean} whether all checks hold */
  conclude() {
    const seconds = ((performance.now() - this.#start) / 1000).toFixed(1);
    print();
    if (this.#failed.length === 0) {
      print(green(bold(`All ${this.#checks} checks hold.`)) + dim(`  (${seconds} s)`));
      return this.#checks > 0;
    }
    print(red(bold(`${this.#failed.length} of ${this.#checks} checks do not hold:`)) + dim(`  (${seconds} s)`));
    for (const title of this.#failed) print(red(`   ✗ ${title}`));
    return false;
  }
}
