import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcesses } from '../helpers/lock-process.js';
import { CommandCount } from '../helpers/lock-state.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

/** All keys with their rest of life, ms, at one moment; -1 = for ever. */
const LIVES = `
  local lives = {}
  for _, key in ipairs(redis.call('KEYS', '*')) do
    lives[#lives + 1] = { key, redis.call('PTTL', key) }
  end
  return lives`;

const POLL = 200;
const MODULE = { handoffTtl: 500, pollInterval: POLL };
const LEASE = 500;
/** That of queues and signs of life. */
const LONGEST_LIFE = 10 * POLL;
const PROCESSES = 6;
/** Between two kills. */
const ACQUIRES = 1_000;

describe('clients that are killed at any moment', () => {
  const redis = useRedis();
  const count = new CommandCount(redis);

  /** Looks at all keys until the end; gives their kinds, and those that would live for ever or longer than anything should. */
  async function watchKeys(end: AbortSignal) {
    const kinds = new Set<string>();
    const wrong: [string, number][] = [];
    while (!end.aborted) {
      const lives = (await redis.client.eval(LIVES, 0)) as [string, number][];
      for (const [key] of lives) kinds.add(key.replace(/:.*/, ''));
      wrong.push(...lives.filter(([, rest]) => rest < 0 || rest > LONGEST_LIFE));
      await sleep(1);
    }
    return { kinds: [...kinds].sort(), wrong: wrong.slice(0, 5) };
  }

  /** Resolves when so many more were acquired; the others of their commands are releases. */
  async function untilAcquired(more: number): Promise<void> {
    // By text a script is sent by this test.
    const sent = async () => (await count.all())['evalsha'] ?? 0;
    const before = await sent();
    await waitUntil(async () => (await sent()) > before + 2 * more, `${more} acquires`, 60_000);
  }

  it('leave nothing without an end, and in the end nothing (BC-52)', async () => {
    const end = new AbortController();
    const watched = watchKeys(end.signal);
    const running = await startProcesses(PROCESSES as number, redis, MODULE);
    const options = { ttl: LEASE, wait: '1m' };
    const work = { options, callers: 4, each: 100_000, hold: 0 };
    for (const process of running) {
      void process.call('sections', { key: 'a', ...work });
      void process.call('sections', { key: 'b', ...work, options: { ...options, fair: true } });
      void process.call('sections', { key: 'c', limit: 2, ...work });
    }
    try {
      while (running.length > 0) {
        await untilAcquired(ACQUIRES);
        await sleep(Math.random() * 50);
        const [victim] = running.splice(Math.random() * running.length, 1);
        await victim?.kill();
      }
    } finally {
      end.abort();
    }
    const { kinds, wrong } = await watched;
    expect(wrong).toEqual([]);
    // It saw all that there is.
    expect(kinds).toEqual(['lock', 'queue', 'seen', 'semaphore']);
    const empty = async () => (await redis.client.dbsize()) === 0;
    await waitUntil(empty, 'the end of all keys', LONGEST_LIFE + 2_000);
  }, 120_000);
});
