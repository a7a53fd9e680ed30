import { AbstractConnector } from 'ioredis';
import type { Socket as NetStream } from 'node:net';
import type { Random } from '../core/random.js';
import type { Scheduler } from '../core/scheduler.js';
import type { SimProcess } from '../core/sim-process.js';
import { Connection } from './connection.js';
import type { SimSocket } from './sim-socket.js';

/** What the network knows of the server at its end. */
export interface Listener {
  readonly process: SimProcess;
  /** The machine answers, and a program listens. */
  readonly up: boolean;
  accept(socket: SimSocket): void;
}

/** All connections between the clients and the server. */
export class Network {
  private connections: Connection[] = [];
  /** Clients whose new connections get no answer at present. */
  private readonly cutOff = new Map<SimProcess, (() => void)[]>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
    private readonly server: Listener,
  ) {}

  /** @returns the open ones, those of a client or all */
  of(client?: SimProcess): Connection[] {
    this.connections = this.connections.filter(({ open }) => open);
    return this.connections.filter((connection) => client === undefined || connection.client === client);
  }

  /** A `Connector` for ioredis. */
  connector(client: SimProcess): new (options: { disconnectTimeout: number }) => AbstractConnector {
    const connect = (): SimSocket => this.connect(client);
    return class extends AbstractConnector {
      constructor(options: { disconnectTimeout: number }) {
        super(options.disconnectTimeout);
      }

      connect(): Promise<NetStream> {
        this.connecting = true;
        const socket = connect();
        this.stream = socket as unknown as NetStream;
        return Promise.resolve(this.stream);
      }
    };
  }

  /** All connections of a client stand still, and new ones get no answer. */
  isolate(client: SimProcess): void {
    this.cutOff.set(client, []);
    for (const connection of this.of(client)) connection.stall();
  }

  rejoin(client: SimProcess, delivers: boolean): void {
    const delayed = this.cutOff.get(client) ?? [];
    this.cutOff.delete(client);
    for (const connection of this.of(client)) connection.heal(delivers);
    for (const go of delayed) go();
  }

  /** The process is gone: its kernel closes, unless the machine is gone with it. */
  abandon(client: SimProcess, silently: boolean): void {
    for (const connection of this.of(client)) {
      connection.down.tear();
      if (!silently) connection.up.reset(connection.up.pending);
    }
  }

  private connect(client: SimProcess): SimSocket {
    const connection = new Connection(this.scheduler, this.random, client, this.server.process);
    this.connections.push(connection);
    connection.near.connecting = true;
    const attempt = (): void => {
      const delayed = this.cutOff.get(client);
      if (delayed) return void delayed.push(attempt);
      this.scheduler.plan(this.random.between(0.3, 3), 'io', () => this.established(connection), client);
    };
    attempt();
    return connection.near;
  }

  private established(connection: Connection): void {
    const { near, far } = connection;
    if (near.destroyed) return void far.destroy();
    near.connecting = false;
    if (!this.server.up) {
      far.destroy();
      return near.fail('ECONNREFUSED');
    }
    this.scheduler.plan(0, 'io', () => this.server.accept(far), this.server.process);
    near.emit('connect');
  }
}
