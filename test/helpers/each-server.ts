import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals';
import { Redis, type RedisOptions } from 'ioredis';
import { startRedis } from '../../tools/redis/index.mjs';
import { EmbeddedRedis } from '../../lib/testing/embedded/embedded-redis.js';
import type { ProtocolOptions } from './protocols.js';

/** A server of either kind, empty before each test. */
export class ServerUnderContract {
  /** For `RedisLockModule` and ioredis. */
  connection!: string | RedisOptions;
  client!: Redis;
  private clients: Redis[] = [];

  /** Another client; it ends with the test. */
  connect(options: ProtocolOptions = {}): Redis {
    const client = newClient(this.connection, options);
    this.clients.push(client);
    return client;
  }

  /** Ends all clients but the one of its own. */
  disconnectClients(): void {
    for (const client of this.clients) if (client.status !== 'end') client.disconnect();
    this.clients = [];
  }
}

function newClient(connection: string | RedisOptions, options: RedisOptions = {}): Redis {
  return typeof connection === 'string' ? new Redis(connection, options) : new Redis({ ...connection, ...options });
}

type Start = () => Promise<{ connection: string | RedisOptions; stop: () => Promise<void> }>;

const SERVERS: readonly (readonly [string, Start])[] = [
  [
    'Redis',
    async () => {
      const server = await startRedis();
      return { connection: server.url, stop: () => server.stop() };
    },
  ],
  [
    'embedded',
    async () => {
      const server = await EmbeddedRedis.start();
      return { connection: server.connection, stop: () => server.stop() };
    },
  ],
  [
    'embedded over TCP',
    async () => {
      const server = await EmbeddedRedis.start();
      return { connection: await server.listen(), stop: () => server.stop() };
    },
  ],
];

/** `server`: only the Redis that is installed, as for a run against one of several versions of it. */
const ONLY_REDIS = process.env['REDIS_LOCK_CONTRACT'] === 'server';

/**
 * Runs the same tests against Redis and against the embedded server: what they say holds for both.
 *
 * @param tests defines them
 * @param options `tcp: false` leaves the second way to the embedded server out, where it would show the same
 */
export function eachServer(tests: (server: ServerUnderContract) => void, { tcp = true } = {}): void {
  const servers = SERVERS.filter(([name]) => name === 'Redis' || (!ONLY_REDIS && (tcp || !name.endsWith('TCP'))));
  describe.each(servers)('%s', (_name, start) => {
    const server = new ServerUnderContract();
    let stop: () => Promise<void>;
    beforeAll(async () => {
      const started = await start();
      server.connection = started.connection;
      stop = started.stop;
      server.client = newClient(started.connection);
      await server.client.ping();
    }, 60_000);
    beforeEach(async () => {
      await server.client.flushall();
    });
    afterEach(() => server.disconnectClients());
    afterAll(async () => {
      server.client.disconnect();
      await stop();
    });
    tests(server);
  });
}
