import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/**
 * @typedef {object} Counters
 * @property {Map<string, { calls: number, usec: number }>} commands by name; those that scripts run are among them
 * @property {number} bytes that came in and went out
 * @property {number} cpu ms
 */

/** What a server says that it has done. */
export class ServerCounters {
  #redis;

  /** @param {string} url */
  constructor(url) {
    this.#redis = new Redis(url);
  }

  /** @returns {Promise<Counters>} */
  async read() {
    const text = await this.#redis.info('stats', 'cpu', 'commandstats');
    const fields = new Map(text.split('\r\n').map((line) => /** @type {[string, string]} */ (line.split(':', 2))));
    const number = (/** @type {string} */ name) => Number(fields.get(name));
    const commands = [...fields].flatMap(([name, value]) => {
      const found = /^cmdstat_(.*)/.exec(name)?.[1];
      const counts = /calls=(\d+),usec=(\d+)/.exec(value);
      return found && counts
        ? [/** @type {const} */ ([found, { calls: Number(counts[1]), usec: Number(counts[2]) }])]
        : [];
    });
    return {
      commands: new Map(commands),
      bytes: number('total_net_input_bytes') + number('total_net_output_bytes'),
      cpu: (number('used_cpu_user') + number('used_cpu_sys')) * 1000,
    };
  }

  /** Resolves when nobody sends much any more, or after half a minute: thousands who leave have a lot to say. */
  async quiet() {
    const total = async () => [...(await this.read()).commands.values()].reduce((sum, { calls }) => sum + calls, 0);
    let before = await total();
    for (let tries = 0; tries < 400; tries += 1) {
      await sleep(50);
      const after = await total();
      if (after - before < 10) return;
      before = after;
    }
  }

  get client() {
    return this.#redis;
  }

  close() {
    return this.#redis.quit();
  }
}

/**
 * @param {Counters} before
 * @param {Counters} after
 * @param {readonly string[]} sent names of the commands that count: those of clients, not those of their scripts
 */
export function difference(before, after, sent) {
  const calls = (/** @type {Counters} */ { commands }) =>
    sent.reduce((total, name) => total + (commands.get(name)?.calls ?? 0), 0);
  const usec = (/** @type {Counters} */ { commands }) =>
    sent.reduce((total, name) => total + (commands.get(name)?.usec ?? 0), 0);
  return {
    commands: calls(after) - calls(before),
    scriptUs: usec(after) - usec(before),
    bytes: after.bytes - before.bytes,
    cpuMs: after.cpu - before.cpu,
  };
}
