import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandCount, LockState } from '../helpers/lock-state.js';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';

const LONG = { ttl: '1m', wait: '1m' };

/** What one section saw. */
interface Section {
  readonly client: number;
  readonly fence: number;
}

describe('the cohort', () => {
  const redis = useRedis();

  const open = async (module = {}) => (await openLocks({ connection: redis.url, ...module })).locks;
  const openSeveral = (count: number, module = {}) => Promise.all(Array.from({ length: count }, () => open(module)));

  /** Sections in the order in which they ran, of callers who all want the key again and again. */
  const compete = async (options: {
    clients?: number;
    callers?: number;
    each?: number;
    module?: object;
    run?: object;
  }) => {
    const { clients = 4, callers = 8, each = 50, module = {}, run = {} } = options;
    const sections: Section[] = [];
    const services = await openSeveral(clients, module);
    let inside = 0;
    await Promise.all(
      services.flatMap((locks, client) =>
        Array.from({ length: callers }, async () => {
          for (let i = 0; i < each; i++) {
            await locks.withLock('hot', { ...LONG, ...run }, async ({ fence }) => {
              expect(++inside).toBe(1);
              sections.push({ client, fence });
              await Promise.resolve();
              inside--;
            });
          }
        }),
      ),
    );
    return sections;
  };

  it('passes', async () => {
    const count = new CommandCount(redis);
    await count.reset();
    const t = performance.now();
    const sections = await compete({ each: 500 });
    console.log(performance.now() - t, sections.length, await count.scripts());
    expect(sections.map(({ fence }) => fence)).toEqual(sections.map(({ fence }) => fence).sort((a, b) => a - b));
    expect(await redis.keys()).toEqual([]);
    void sleep;
    void LockState;
  });
});
