import { EventEmitter } from 'node:events';
import { afterJobs, soon } from './soon.js';

/** Something that arrives at a socket: bytes, or the end of what the other side says. */
type Arrival = Buffer | 'end';

/**
 * One end of a connection within this process. It has of `net.Socket` what ioredis and the server use. What is written
 * arrives later and in order, as over a network.
 */
export class MemorySocket extends EventEmitter {
  connecting = true;
  destroyed = false;
  /** We said our last. */
  writableEnded = false;
  private readonly arrivals: Arrival[] = [];
  private delivery = false;
  private peerEnded = false;
  private peer: MemorySocket | undefined;

  /** @returns both ends of a connection that is about to be made */
  static pair(): [client: MemorySocket, server: MemorySocket] {
    const [client, server] = [new MemorySocket(), new MemorySocket()];
    client.peer = server;
    server.peer = client;
    server.connecting = false;
    afterJobs(() => client.connected());
    return [client, server];
  }

  /** What a client gets where nobody listens. */
  static refused(): MemorySocket {
    const socket = new MemorySocket();
    afterJobs(() => socket.destroy(new Error('connect ECONNREFUSED: the embedded server has stopped')));
    return socket;
  }

  get writable(): boolean {
    return !this.destroyed && !this.writableEnded;
  }

  write(chunk: string | Uint8Array): boolean {
    if (!this.writable) return false;
    this.peer?.arrive(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
    return true;
  }

  end(): this {
    if (!this.writable) return this;
    this.writableEnded = true;
    this.peer?.arrive('end');
    this.closeWhenBothEnded();
    return this;
  }

  /** Closes now; what was written before still arrives. */
  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.end();
    this.close(error);
    return this;
  }

  /** Closes now; what has not arrived yet is lost. */
  resetAndDestroy(): this {
    if (this.destroyed) return this;
    this.peer?.loseArrivals();
    return this.destroy();
  }

  /*
   * Settings of a real socket, which have no meaning here.
   */

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  resume(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  private connected(): void {
    if (this.destroyed) return;
    this.connecting = false;
    this.emit('connect');
  }

  private arrive(arrival: Arrival): void {
    this.arrivals.push(arrival);
    if (this.delivery) return;
    this.delivery = true;
    soon(() => this.deliver());
  }

  private loseArrivals(): void {
    this.arrivals.length = 0;
  }

  private deliver(): void {
    this.delivery = false;
    for (const arrival of this.arrivals.splice(0)) {
      if (this.destroyed) return;
      if (arrival !== 'end') {
        this.emit('data', arrival);
        continue;
      }
      this.peerEnded = true;
      this.emit('end');
      // As a socket does by default: who has heard the last word says no more.
      this.end();
      this.closeWhenBothEnded();
    }
  }

  private closeWhenBothEnded(): void {
    if (this.writableEnded && this.peerEnded) this.close();
  }

  private close(error?: Error): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.writableEnded = true;
    soon(() => {
      if (error) this.emit('error', error);
      this.emit('close');
    });
  }
}
