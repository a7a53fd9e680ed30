import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuard } from '../../redis/guard.mjs';
import { provideRedisBinary } from '../../redis/provide-redis.mjs';
import { cleanUp } from './clean-up.mjs';
import { clockShim } from './clock-shim.mjs';
import { startCluster } from './cluster.mjs';
import { Loopback, NamespaceNetwork } from './network.mjs';
import { startSentinel } from './sentinel.mjs';
import { Server } from './server.mjs';
import { startSingle } from './single.mjs';

/** @import { Host, Network } from './network.mjs' */
/** @import { ServerOptions, Topology, TopologyName } from './topology.mjs' */

const CLEAN_UP = join(import.meta.dirname, 'clean-up.mjs');
const START = { single: startSingle, sentinel: startSentinel, cluster: startCluster };

/** Servers and a host for clients, and a network between them, all gone at the end however the run ends. */
export class Lab {
  /** @type {Topology} */
  topology;
  /** Where the clients run. @type {Host} */
  clientHost;
  #dismissGuard;
  /** @type {Promise<void> | undefined} */
  #closing;
  /** @type {Server[]} */
  #made = [];

  /**
   * @param {string} dir
   * @param {string} binary of the server
   * @param {Network} network
   */
  constructor(dir, binary, network) {
    this.dir = dir;
    this.binary = binary;
    this.network = network;
    this.#dismissGuard = startGuard(process.execPath, [CLEAN_UP, dir]);
  }

  /**
   * @param {TopologyName} topology
   * @param {ServerOptions & { faultyNetwork: boolean }} options
   */
  static async open(topology, options) {
    const dir = mkdtempSync(join(tmpdir(), 'redis-lock-chaos-'));
    const { binary } = await provideRedisBinary();
    const network = options.faultyNetwork ? new NamespaceNetwork(dir) : new Loopback();
    const lab = new Lab(dir, binary, network);
    try {
      if (network instanceof NamespaceNetwork) await network.open();
      lab.clientHost = await network.addHost('clients');
      lab.topology = await START[topology](lab, options);
      return lab;
    } catch (error) {
      await lab.close();
      throw error;
    }
  }

  /** The network, where its links can be made worse. */
  get links() {
    if (this.network instanceof NamespaceNetwork) return this.network;
    throw new Error('this lab has no network of its own');
  }

  /**
   * Starts servers one after the other, each on a host of its own.
   *
   * @param {string[]} names
   * @param {(place: { host: Host, port: number }, earlier: Server[]) => string[]} args
   * @param {boolean} [skewed]
   */
  async addServers(names, args, skewed = false) {
    const env = skewed ? { ...process.env, ...(await clockShim(this.dir)).env } : undefined;
    /** @type {Server[]} */
    const servers = [];
    for (const name of names) {
      const host = await this.network.addHost(name);
      const port = await this.network.port(6_379);
      const dir = join(this.dir, name);
      const server = this.make(host, port, [...args({ host, port }, servers), '--dir', dir], env);
      await server.start();
      servers.push(server);
    }
    return servers;
  }

  /**
   * A server that ends with the lab.
   *
   * @param {ConstructorParameters<typeof Server> extends [any, ...infer A] ? A : never} args
   */
  make(...args) {
    const server = new Server(this, ...args);
    this.#made.push(server);
    return server;
  }

  close() {
    return (this.#closing ??= this.#end());
  }

  async #end() {
    for (const server of this.#made) await server.kill();
    await cleanUp(this.dir);
    this.#dismissGuard();
  }
}
