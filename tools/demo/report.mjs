import { bold, cyan, dim, green, red } from './colours.mjs';
import { drawLane } from './timeline.mjs';

/** @import { Section, Verdict } from './verdicts.mjs' */
/** @typedef {Parameters<typeof drawLane>[2]} Mark */

const WIDTH = 72;
const TITLE_WIDTH = 36;

/** @param {string} [line] */
export const print = (line = '') => process.stdout.write(`${line}\n`);

/** Prints the story and keeps count of the checks. */
export class Report {
  #chapter = 0;
  /** @type {string[]} */
  #failed = [];
  #checks = 0;

  /** @param {string} title */
  chapter(title) {
    this.#chapter += 1;
    print();
    print(bold(`${this.#chapter}. ${title}`));
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
    print(
      `   ${sign} ${title.padEnd(TITLE_WIDTH)} ${ok ? dim(figures) : red(figures)}`,
    );
  }

  /**
   * One lane per process.
   *
   * @param {readonly Section[]} sections
   * @param {readonly number[]} pids
   * @param {{ mark: Mark, longest?: number, total?: Mark }} drawing `longest`: ms to show at most
   */
  timeline(sections, pids, { mark, longest = Infinity, total }) {
    const from = Math.min(...sections.map(({ enter }) => enter));
    const end = Math.max(
      ...sections.map(({ enter, leave }) =>
        leave === Infinity ? enter : leave,
      ),
    );
    const to = Math.min(end, from + longest);
    if (!(to > from)) return;
    const scale = { from, to, width: WIDTH };
    for (const pid of pids) {
      const own = sections.filter((section) => section.pid === pid);
      print(
        `   ${dim(`pid ${pid}`.padEnd(12))}${cyan(drawLane(own, scale, mark))}`,
      );
    }
    if (total)
      print(
        `   ${dim('together'.padEnd(12))}${drawLane(sections, scale, total)}`,
      );
    const shown = `${Math.round(to - from)} ms`;
    const left =
      to < end ? `the first ${shown} of ${Math.round(end - from)} ms` : shown;
    print(dim(`   ${' '.repeat(12)}0${left.padStart(WIDTH - 1)}`));
  }

  /** @returns {boolean} whether all checks hold */
  conclude() {
    const seconds = process.uptime().toFixed(1);
    print();
    if (this.#failed.length === 0) {
      print(
        green(bold(`All ${this.#checks} checks hold.`)) +
          dim(`  (${seconds} s)`),
      );
      return this.#checks > 0;
    }
    print(
      red(
        bold(`${this.#failed.length} of ${this.#checks} checks do not hold:`),
      ) + dim(`  (${seconds} s)`),
    );
    for (const title of this.#failed) print(red(`   ✗ ${title}`));
    return false;
  }
}
