import { Worker } from './worker.mjs';

/** @import { Contender } from '../contenders/types.mjs' */

/** The processes of all contenders. They stay until the end, so that a turn finds them warm. */
export class Pool {
  /** @type {Map<string, { worker: Worker, opened: Promise<void> }[]>} */
  #groups = new Map();
  /** @type {Worker[]} */
  #others = [];

  /**
   * @param {Contender} contender
   * @param {number} count
   * @param {string} url
   * @returns {Promise<Worker[]>}
   */
  async workers(contender, count, url) {
    const name = `${contender.id} ${url}`;
    const group = this.#groups.get(name) ?? [];
    this.#groups.set(name, group);
    while (group.length < count) {
      const worker = new Worker();
      group.push({ worker, opened: worker.open(contender, url) });
    }
    const wanted = group.slice(0, count);
    await Promise.all(wanted.map(({ opened }) => opened));
    return wanted.map(({ worker }) => worker);
  }

  /** One that nobody else gets. @param {string[]} [execArgv] */
  single(execArgv) {
    const worker = new Worker(execArgv);
    this.#others.push(worker);
    return worker;
  }

  async close() {
    const all = [...this.#groups.values()].flatMap((group) => group.map(({ worker }) => worker));
    this.#groups.clear();
    await Promise.all([...all, ...this.#others.splice(0)].map((worker) => worker.close()));
  }
}
