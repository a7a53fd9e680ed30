import { runCommand } from '../../run-command.mjs';
import { freePort, HOST } from '../../redis/server-process.mjs';
import { noteNamespace } from './clean-up.mjs';

/**
 * @typedef {object} Host a machine of the lab
 * @property {string} name
 * @property {string} address
 * @property {string} [namespace] that of the network, where the lab has one of its own
 *
 * @typedef {object} Network
 * @property {boolean} faulty links can be cut and made worse
 * @property {(name: string) => Promise<Host>} addHost
 * @property {(usual: number) => Promise<number>} port for a server
 */

/** No member of the lab has this address, so what is sent to it is heard by nobody. */
const NOWHERE = '02:00:00:00:00:00';
const IN_20_PERCENT = Math.floor(0.2 * 2 ** 32);
/** A filter for tc in classic BPF: load a random number, compare, pass (0) or drop (2). */
const LOSE = `4,32 0 0 4294963256,37 0 1 ${IN_20_PERCENT},6 0 0 0,6 0 0 2`;

/** All hosts are this machine; servers have a port each. @implements {Network} */
export class Loopback {
  faulty = false;

  /** @param {string} name */
  addHost(name) {
    return Promise.resolve({ name, address: HOST });
  }

  port() {
    return freePort();
  }
}

/**
 * Every host is a network namespace with one cable to a bridge, which has a namespace of its own: nothing of it can be seen
 * from the machine, and nothing of the machine's network is touched. Needs root and the program ip.
 *
 * @implements {Network}
 */
export class NamespaceNetwork {
  faulty = true;
  /** @type {Host[]} */
  #hosts = [];
  #subnet;
  #prefix;
  #dir;

  /** @param {string} dir of the lab */
  constructor(dir) {
    this.#dir = dir;
    this.#prefix = `redis-lock-${process.pid}-`;
    this.#subnet = `10.${(process.pid >> 8) & 255}.${process.pid & 255}`;
  }

  /** @returns {Promise<boolean>} whether namespaces can be had here */
  static async available() {
    if (process.getuid?.() !== 0) return false;
    const name = `redis-lock-${process.pid}-probe`;
    const made = await runCommand('ip', ['netns', 'add', name]);
    if (made.ok) await runCommand('ip', ['netns', 'del', name]);
    return made.ok;
  }

  async open() {
    await this.#makeNamespace('hub');
    await this.#ip('hub', 'link', 'add', 'br0', 'type', 'bridge');
    await this.#ip('hub', 'link', 'set', 'br0', 'up');
  }

  /** @param {string} name */
  async addHost(name) {
    const number = this.#hosts.length + 1;
    const host = { name, address: `${this.#subnet}.${number}`, namespace: this.#prefix + name };
    await this.#makeNamespace(name);
    const cable = `port${number}`;
    await this.#ip('hub', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host.namespace);
    await this.#ip('hub', 'link', 'set', cable, 'master', 'br0', 'up');
    await this.#ip(name, 'addr', 'add', `${host.address}/24`, 'dev', 'eth0');
    await this.#ip(name, 'link', 'set', 'eth0', 'up');
    await this.#ip(name, 'link', 'set', 'lo', 'up');
    this.#hosts.push(host);
    return host;
  }

  /** @param {number} usual */
  port(usual) {
    return Promise.resolve(usual);
  }

  /** All hosts but this one. @param {Host} host */
  others(host) {
    return this.#hosts.filter((other) => other !== host);
  }

  /**
   * What one host sends to the others is lost from now on, without a word to anybody.
   *
   * @param {Host} from
   * @param {Host[]} to
   */
  async cutOneWay(from, to) {
    for (const { address } of to) {
      await this.#ip(from.name, 'neigh', 'replace', address, 'lladdr', NOWHERE, 'dev', 'eth0', 'nud', 'permanent');
    }
  }

  /**
   * @param {Host} host
   * @param {Host[]} others
   */
  async cut(host, others) {
    await this.cutOneWay(host, others);
    for (const other of others) await this.cutOneWay(other, [host]);
  }

  /** Every link is as it was. */
  async heal() {
    for (const { name } of this.#hosts) {
      await this.#ip(name, 'neigh', 'flush', 'dev', 'eth0', 'nud', 'permanent');
      // Where nothing is wrong there is nothing to remove.
      await this.#tc(name, 'qdisc', 'del', 'dev', 'eth0', 'clsact');
      await this.#tc(name, 'qdisc', 'del', 'dev', 'eth0', 'root');
    }
  }

  /** Every fifth packet from and to a host is lost. @param {Host} host */
  async lose({ name }) {
    const filter = ['bpf', 'direct-action', 'bytecode', LOSE];
    await this.#must(this.#tc(name, 'qdisc', 'add', 'dev', 'eth0', 'clsact'));
    await this.#must(this.#tc(name, 'filter', 'add', 'dev', 'eth0', 'ingress', ...filter));
    await this.#must(this.#tc(name, 'filter', 'add', 'dev', 'eth0', 'egress', ...filter));
  }

  /** What a host sends goes through a narrow pipe. @param {Host} host */
  async slow({ name }) {
    const pipe = ['tbf', 'rate', '400kbit', 'burst', '4kb', 'latency', '400ms'];
    await this.#must(this.#tc(name, 'qdisc', 'add', 'dev', 'eth0', 'root', ...pipe));
  }

  /** @param {string} name */
  async #makeNamespace(name) {
    const namespace = this.#prefix + name;
    noteNamespace(this.#dir, namespace);
    await this.#must(runCommand('ip', ['netns', 'add', namespace]));
  }

  /**
   * @param {string} name of a host
   * @param {string[]} args
   */
  #ip(name, ...args) {
    return this.#must(runCommand('ip', ['-n', this.#prefix + name, ...args]));
  }

  /**
   * @param {string} name of a host
   * @param {string[]} args
   */
  #tc(name, ...args) {
    return runCommand('tc', ['-n', this.#prefix + name, ...args]);
  }

  /** @param {Promise<import('../../run-command.mjs').CommandResult>} command */
  async #must(command) {
    const { ok, output } = await command;
    if (!ok) throw new Error(`The network of the lab: ${output}`);
  }
}

/**
 * A program as it is started on a host.
 *
 * @param {Host} host
 * @param {string} file
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function onHost({ namespace }, file, args) {
  // It becomes the program itself: its process can be stopped and killed.
  return namespace === undefined ? [file, args] : ['nsenter', [`--net=/run/netns/${namespace}`, file, ...args]];
}
