import type { RedisOptions } from 'ioredis';
import type { MemorySocket } from './memory-socket.js';

/** The client's end of a new connection: a socket, or what passes for one with ioredis. */
export type OpenStream = () => Pick<MemorySocket, 'end' | 'destroy'>;

/** Options with which ioredis takes its connections from `open` instead of the network. */
export function connectionThrough(open: OpenStream): RedisOptions {
  class Connector {
    firstError: Error | undefined;
    connecting = false;
    private stream: ReturnType<OpenStream> | undefined;

    check(): boolean {
      return true;
    }

    async connect(): Promise<ReturnType<OpenStream>> {
      this.connecting = true;
      this.stream = open();
      return this.stream;
    }

    disconnect(): void {
      this.connecting = false;
      this.stream?.end();
    }
  }
  // ioredis does not export the class that its type asks for.
  return { Connector: Connector as unknown as NonNullable<RedisOptions['Connector']> };
}
