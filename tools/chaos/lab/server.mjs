import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { spawnServer } from '../../redis/server-process.mjs';
import { waitForPing } from '../../redis/wait-for-ping.mjs';
import { notePid } from './clean-up.mjs';
import { onHost } from './network.mjs';

/** @import { Host } from './network.mjs' */

const START_TIMEOUT = 20_000;

/**
 * One redis-server (or Sentinel) that can be stopped, killed and started again. Faults are made through its socket in the file
 * system, which no partition reaches.
 */
export class Server {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #lab;
  #args;
  #env;
  /** @type {Redis | undefined} */
  #control;

  /**
   * @param {{ dir: string, binary: string }} lab
   * @param {Host} host
   * @param {number} port
   * @param {string[]} args those that make it what it is
   * @param {NodeJS.ProcessEnv} [env]
   */
  constructor(lab, host, port, args, env) {
    this.#lab = lab;
    this.host = host;
    this.port = port;
    this.#args = args;
    this.#env = env;
    this.dir = join(lab.dir, host.name);
    mkdirSync(this.dir, { recursive: true });
  }

  get address() {
    return { host: this.host.address, port: this.port };
  }

  get #socket() {
    return join(this.dir, 'socket');
  }

  /** @param {string[]} more for this time only */
  async start(...more) {
    const log = join(this.dir, `log-${Date.now()}`);
    const [file, args] = onHost(this.host, this.#lab.binary, [...this.#args, '--unixsocket', this.#socket, ...more]);
    rmSync(this.#socket, { force: true });
    const child = spawnServer(file, log, args, this.#env);
    this.#child = child;
    notePid(this.#lab.dir, child.pid);
    const stillComing = () => child.exitCode === null && child.signalCode === null;
    if (await waitForPing({ path: this.#socket }, { timeout: START_TIMEOUT, stillComing })) return;
    throw new Error(`${this.host.name} did not start:\n${readFileSync(log, 'utf8')}`);
  }

  /** @param {NodeJS.Signals} signal */
  #signal(signal) {
    this.#child?.kill(signal);
  }

  freeze() {
    this.#signal('SIGSTOP');
  }

  thaw() {
    this.#signal('SIGCONT');
  }

  async kill() {
    this.#control?.disconnect();
    this.#control = undefined;
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    // Otherwise this process could end while it waits here.
    child.ref();
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** What it had written to disk is gone, too. */
  forget() {
    rmSync(join(this.dir, 'appendonlydir'), { recursive: true, force: true });
  }

  /**
   * @param {string} command
   * @param {(string | number)[]} args
   * @returns {Promise<unknown>}
   */
  call(command, ...args) {
    this.#control ??= this.#connect();
    return this.#control.call(command, ...args);
  }

  #connect() {
    const control = new Redis({
      path: this.#socket,
      commandTimeout: 5_000,
      maxRetriesPerRequest: 2,
      retryStrategy: () => 100,
    });
    control.on('error', () => undefined);
    return control;
  }
}
