import { afterEach, describe, expect, it } from '@jest/globals';
import { type LockProcess, startProcess, startProcesses } from '../helpers/lock-process.js';
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

const MODULE = { handoffTtl: 500 };
const LONGEST_LIFE = 10 * MODULE.handoffTtl;
const KILLS = 8;
const ACQUIRES = 5_000;

describe('clients that are killed at any moment', () => {
  const redis = useRedis();
  const count = new CommandCount(redis);
  const seen = new Map<string, number>();
  let watching = true;
  afterEach(() => {
    watching = false;
  });

  /** Looks at all keys again and again; gives those that would stay for ever, or longer than anything should. */
  async function watch(): Promise<[string, number][]> {
    const wrong: [string, number][] = [];
    while (watching) {
      const lives = (await redis.client.eval(LIVES, 0)) as [string, number][];
      for (const [key, rest] of lives) {
        const kind = key.replace(/:.*/, '');
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if (rest < 0 || rest > LONGEST_LIFE) wrong.push([key, rest]);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return wrong;
  }

  function work(process: LockProcess): void {
    const more = { callers: 4, each: 100_000, hold: 0 };
    const options = { ttl: 1_000, wait: '1m' };
    const locks = ['a', 'b'].map((key) => ({ key, options, ...more }));
    const semaphore = { key: 'c', limit: 2, options, ...more };
    for (const each of [...locks, semaphore]) {
      void process.call('sections', each);
    }
  }

  it('leave nothing without an end, and in the end nothing (BC-52)', async () => {
    const watched = watch();
    const running = await startProcesses(4, redis, MODULE);
    running.forEach(work);
    await count.reset();
    for (let kills = 0; kills < KILLS; kills++) {
      const started = startProcess(redis, MODULE);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
      const [victim] = running.splice(Math.random() * running.length, 1);
      await victim?.kill();
      const next = await started;
      running.push(next);
      work(next);
    }
    // Texts of scripts are sent by this test.
    const commands = async () => (await count.all())['evalsha'] ?? 0;
    await waitUntil(async () => (await commands()) > 2 * ACQUIRES, `${ACQUIRES} acquires`, 60_000);
    await Promise.all(running.map((process) => process.kill()));
    await waitUntil(async () => (await redis.client.dbsize()) === 0, 'the end of all keys', LONGEST_LIFE + 2_000);
    watching = false;
    expect(await watched).toEqual([]);
    expect([...seen.keys()].sort()).toEqual(['lock', 'queue', 'seen', 'semaphore']);
  }, 120_000);
});
