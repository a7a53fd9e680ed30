import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { notePid } from '../lab/clean-up.mjs';
import { Client } from './client.mjs';
import { TARGETS } from './workload.mjs';

/** @import { Lab } from '../lab/lab.mjs' */
/** @import { ClientEvent, Mutant, Write } from '../types.mjs' */

const CLOSE_TIMEOUT = 10_000;
const REGISTER = join(import.meta.dirname, '../register/register-process.mjs');

/**
 * @typedef {object} FleetOptions
 * @property {number} processes
 * @property {number} callers in each
 * @property {number} replicas that must have a lock, 0: not asked for
 * @property {Mutant} [mutant]
 */

/** All clients of a run, and the resource that they write to. */
export class Fleet {
  /** @type {Client[]} */
  clients = [];
  /** Names of those that were. @type {Set<string>} */
  killed = new Set();
  #lab;
  #options;
  #started = 0;
  #register;
  #registerGone = false;

  /**
   * @param {Lab} lab
   * @param {FleetOptions} options
   */
  constructor(lab, options) {
    this.#lab = lab;
    this.#options = options;
    const checks = options.mutant === 'no-fence' ? 'unchecked' : 'checked';
    this.#register = fork(REGISTER, [this.#socket, this.#writes, checks], { execArgv: [], detached: true });
    notePid(lab.dir, this.#register.pid);
    this.#register.once('exit', () => (this.#registerGone = true));
  }

  get #socket() {
    return join(this.#lab.dir, 'register.socket');
  }

  get #writes() {
    return join(this.#lab.dir, 'register.jsonl');
  }

  async open() {
    await once(this.#register, 'message');
    this.clients = await Promise.all(Array.from({ length: this.#options.processes }, () => this.#launch()));
  }

  async start() {
    await Promise.all(this.clients.map((client) => client.call('start')));
  }

  /** One of them. */
  pick() {
    return /** @type {Client} */ (this.clients[Math.floor(Math.random() * this.clients.length)]);
  }

  /** Another one comes for one that was killed. @param {Client} client */
  async replace(client) {
    this.killed.add(client.name);
    const next = await this.#launch();
    this.clients[this.clients.indexOf(client)] = next;
    await next.call('start');
  }

  /**
   * Nobody works any more, and each lock is asked for by one process.
   *
   * @param {number} wait
   */
  async quietAndProbe(wait) {
    const quiet = this.clients.map((client) => client.call('quiet'));
    const shares = this.clients.map((client, i) =>
      client.call(
        'probe',
        TARGETS.filter((_, t) => t % this.clients.length === i),
        wait,
      ),
    );
    await Promise.all(quiet);
    return (await Promise.all(shares)).flat();
  }

  async close() {
    await Promise.all(
      this.clients.map(async (client) => {
        await Promise.race([
          client.call('close').catch(() => undefined),
          sleep(CLOSE_TIMEOUT, undefined, { ref: false }),
        ]);
        if (!client.ended) await client.kill();
      }),
    );
    if (this.#registerGone) throw new Error('the resource is gone');
    this.#register.send('flush');
    await once(this.#register, 'message');
    this.#register.kill('SIGKILL');
  }

  get failures() {
    return this.clients.flatMap(({ failure }) => failure ?? []);
  }

  /** What every process that ever was has written. @returns {Map<string, ClientEvent[]>} */
  histories() {
    const names = readdirSync(this.#lab.dir).filter((name) => name.startsWith('client-'));
    return new Map(
      names.map((name) => [
        name.replace('.jsonl', ''),
        /** @type {ClientEvent[]} */ (readLines(join(this.#lab.dir, name))),
      ]),
    );
  }

  /** @returns {Write[]} */
  writes() {
    return existsSync(this.#writes) ? /** @type {Write[]} */ (readLines(this.#writes)) : [];
  }

  async #launch() {
    this.#started += 1;
    const name = `client-${this.#started}`;
    const { callers, replicas, mutant } = this.#options;
    const client = new Client(this.#lab, {
      name,
      connection: this.#lab.topology.connection,
      history: join(this.#lab.dir, `${name}.jsonl`),
      register: this.#socket,
      callers,
      ...(replicas > 0 ? { replicas } : {}),
      ...(mutant ? { mutant } : {}),
    });
    await client.ready();
    return client;
  }
}

/** @param {string} path */
function readLines(path) {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // Of a process that was killed the last line may be a part of one.
  return lines.flatMap((line) => {
    try {
      return [/** @type {unknown} */ (JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
