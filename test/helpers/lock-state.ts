import type { RedisUnderTest } from './use-redis.js';
import { waitUntil } from './wait-until.js';

/** What Redis knows of one lock or semaphore, read without the library. */
export class LockState {
  readonly owner: string;
  readonly queue: string;
  readonly seen: string;

  constructor(
    private readonly redis: RedisUnderTest,
    readonly key: string,
    kind: 'lock' | 'semaphore' = 'lock',
  ) {
    this.owner = `${kind}:${key}`;
    this.queue = `queue:{${this.owner}}`;
    this.seen = `seen:{${this.owner}}`;
  }

  waiters(): Promise<number> {
    return this.redis.client.zcard(this.queue);
  }

  /** Tokens in the order in which they will be served, with the server's microseconds at which they came. */
  async tickets(): Promise<{ token: string; ticket: number }[]> {
    const flat = await this.redis.client.zrange(this.queue, '0', '-1', 'WITHSCORES');
    return flat.flatMap((token, i) => (i % 2 ? [] : [{ token, ticket: Number(flat[i + 1]) }]));
  }

  async untilWaiting(count: number, within?: number): Promise<void> {
    const there = async () => (await this.waiters()) === count;
    await waitUntil(there, `${count} waiters for ${this.owner}`, within);
  }

  /** The server's clock, microseconds. */
  async serverTime(): Promise<number> {
    const [seconds, micros] = await this.redis.client.time();
    return Number(seconds) * 1e6 + Number(micros);
  }

  /** Resolves when the server's clock has passed this moment. */
  async untilServerTime(micros: number): Promise<void> {
    const passed = async () => (await this.serverTime()) > micros;
    await waitUntil(passed, `server time ${micros}`);
  }
}

/**
 * Counts what clients send to the server, by its own statistics. Scripts come from clients only; what they run inside is in
 * those statistics, too, and is no command that anybody sent.
 */
export class CommandCount {
  constructor(private readonly redis: RedisUnderTest) {}

  /** Begins anew. */
  async reset(): Promise<void> {
    await this.redis.client.config('RESETSTAT');
  }

  async scripts(): Promise<number> {
    const { evalsha = 0, eval: texts = 0 } = await this.all();
    return evalsha + texts;
  }

  /** Also those that scripts ran. */
  async all(): Promise<Record<string, number>> {
    const stats = await this.redis.client.info('commandstats');
    const lines = stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
    return Object.fromEntries([...lines].map(([, name = '', calls]): [string, number] => [name, Number(calls)]));
  }
}
