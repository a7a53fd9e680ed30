import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Redis } from 'ioredis';
import { startRedisProcess } from '../../tools/redis/index.mjs';
import { startSentinel } from '../../tools/redis/start-sentinel.mjs';
import { waitUntil } from './wait-until.js';

type Server = Awaited<ReturnType<typeof startRedisProcess>>;

const NAME = 'locks';

/** A master with one replica, watched by one Sentinel, which decides alone. */
export class SentinelUnderTest {
  servers: Server[] = [];
  port!: number;
  sentinel!: Redis;

  /** As ioredis takes it. */
  get connection(): { sentinels: { host: string; port: number }[]; name: string } {
    return { sentinels: [{ host: '127.0.0.1', port: this.port }], name: NAME };
  }

  /** The server that Sentinel sends clients to. */
  async master(): Promise<Server> {
    const [, port] = (await this.sentinel.call('SENTINEL', 'get-master-addr-by-name', NAME)) as [string, string];
    return this.servers.find((server) => server.port === Number(port)) as Server;
  }

  /** Both servers are up, and the replica follows. */
  async healthy(): Promise<void> {
    await waitUntil(async () => {
      const replicas = (await this.sentinel.call('SENTINEL', 'replicas', NAME)) as string[][];
      const fields = replicas[0] ?? [];
      const value = (name: string): string | undefined => fields[fields.indexOf(name) + 1];
      return value('flags') === 'slave' && value('master-link-status') === 'ok';
    }, 'a replica that follows the master');
  }

  async failover(): Promise<void> {
    await this.sentinel.call('SENTINEL', 'failover', NAME);
  }
}

export function useSentinel(): SentinelUnderTest {
  const under = new SentinelUnderTest();
  let stopSentinel: () => Promise<void>;

  beforeAll(async () => {
    const master = await startRedisProcess({ args: ['--repl-diskless-sync-delay', '0'] });
    const replica = await startRedisProcess({
      args: ['--repl-diskless-sync-delay', '0', '--replicaof', '127.0.0.1', `${master.port}`],
    });
    under.servers = [master, replica];
    ({ port: under.port, stop: stopSentinel } = await startSentinel({ name: NAME, masterPort: master.port }));
    under.sentinel = new Redis(under.port);
    await under.healthy();
  }, 60_000);

  beforeEach(() => under.healthy());

  afterAll(async () => {
    under.sentinel.disconnect();
    await stopSentinel();
    await Promise.all(under.servers.map((server) => server.stop()));
  });
  return under;
}
