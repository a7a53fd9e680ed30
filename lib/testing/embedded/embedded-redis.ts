import type { RedisOptions } from 'ioredis';
import { refuseInProduction, type ProductionOption } from '../in-production.js';
import { ServerCore, type ServerCoreOptions } from './server/server-core.js';
import { connectionThrough } from './transport/connector.js';
import { MemorySocket } from './transport/memory-socket.js';
import { TcpListener } from './transport/tcp-listener.js';

/**
 * Options of an embedded server.
 *
 * @publicApi
 */
export interface EmbeddedRedisOptions extends ProductionOption {
  /**
   * The server's clock, ms since 1970. It is asked at every command, so that expiry follows fake timers.
   *
   * @default () => Date.now()
   */
  now?: () => number;
}

/**
 * A small Redis within this process, for tests: it knows the commands that the locks need and some to look at the data with,
 * and runs their scripts in real Lua. It is one server for whoever is connected to it, and nothing of it outlives the process.
 *
 * @publicApi
 */
export class EmbeddedRedis {
  /**
   * What `RedisLockModule.forRoot({ connection })` takes, and `new Redis(...)` of ioredis. Works within this process only; for
   * others there is `listen()`.
   */
  readonly connection: RedisOptions = connectionThrough(() => this.openStream());
  private listener: Promise<TcpListener> | undefined;
  private stopped = false;

  private constructor(
    /** @internal */
    readonly core: ServerCore,
  ) {}

  /**
   * @example
   * ```ts
   * const redis = await EmbeddedRedis.start();
   * const client = new Redis(redis.connection);
   * ```
   * @throws LockOptionsError when the package `wasmoon-lua5.1` is not installed, and where `NODE_ENV` is `production` unless
   * `allowInProduction` is set
   */
  static start(options?: EmbeddedRedisOptions): Promise<EmbeddedRedis>;
  /** @internal With what only tests of the locks themselves need. */
  static start(options: EmbeddedRedisOptions & Partial<ServerCoreOptions>): Promise<EmbeddedRedis>;
  static async start(options: EmbeddedRedisOptions & Partial<ServerCoreOptions> = {}): Promise<EmbeddedRedis> {
    refuseInProduction(
      'EmbeddedRedis',
      options,
      'it is one server for this one process, and forgets everything with it',
    );
    const { now = () => Date.now(), wrap, patchScript } = options;
    return new EmbeddedRedis(await ServerCore.create({ now, wrap, patchScript }));
  }

  /**
   * Takes connections over TCP, too, on the loopback interface. A second call gives the address of the first.
   *
   * @param port any free one by default
   * @returns the URL
   */
  async listen(port = 0): Promise<string> {
    this.listener ??= TcpListener.open(this.core, port);
    return (await this.listener).url;
  }

  /** Removes all data, also locks that are held; their holders learn of it at their next renewal. */
  flush(): void {
    this.core.databases.clear();
  }

  /** Cuts all connections; new ones are refused. May be called twice. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    const closed = this.listener?.then((listener) => listener.close());
    this.core.close();
    await closed;
  }

  private openStream(): MemorySocket {
    if (this.stopped) return MemorySocket.refused();
    const [client, server] = MemorySocket.pair();
    this.core.handle(server);
    return client;
  }
}
