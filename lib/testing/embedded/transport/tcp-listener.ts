import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { ServerCore } from '../server/server-core.js';

const HOST = '127.0.0.1';

/** Lets clients of other processes in, over the loopback interface only. */
export class TcpListener {
  private constructor(
    private readonly listener: Server,
    readonly url: string,
  ) {}

  /** @param port 0 for any free one */
  static async open(core: ServerCore, port: number): Promise<TcpListener> {
    const listener = createServer({ noDelay: true }, (socket) => core.handle(socket));
    listener.listen(port, HOST);
    await once(listener, 'listening');
    return new TcpListener(listener, `redis://${HOST}:${(listener.address() as AddressInfo).port}`);
  }

  /** Resolves when all connections have ended; the server ends them. */
  close(): Promise<void> {
    return new Promise((resolve) => this.listener.close(() => resolve()));
  }
}
