import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startFixture, TO_COMPILE } from '../../helpers/fixture-process.js';
import { CommandCount } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { loadScripts } from '../../helpers/script-requests.js';
import { useRedis } from '../../helpers/use-redis.js';
import type { Calls } from '../../src/companions/calls.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();
const count = new CommandCount(redis);
let ports: number[];

beforeAll(async () => {
  await loadScripts(redis);
  ports = await startFixture<number[]>('src/companions/throttler/main.ts', [redis.url]);
}, TO_COMPILE);

const cases = variants('ticket:<0>').map((variant, i) => ({ ...variant, i }));

// Requests stay counted from test to test, so each has handlers of its own.
describe.each(cases)('Throttled handlers ($name)', ({ i, limit, scripts }) => {
  const under = scripts > 0 ? 'ticket:a' : undefined;
  let http: ReturnType<typeof request>;
  const calls = async () => (await http.get('/tickets/a/calls').expect(200)).body as Calls;

  beforeEach(async () => {
    http = request(`http://127.0.0.1:${ports[i]}`);
    await count.reset();
  });

  it('should be refused at the limit of the handler, and then take no lock [BC-01]', async () => {
    const { seen: before } = await calls();
    await http.get('/tickets/a/once').expect(200, 'once').expect('X-RateLimit-Limit', '1');
    expect(await count.scripts()).toBe(scripts);
    const { locks } = await openLocks({ connection: redis.url });
    await locks.acquire('ticket:a');
    await locks.acquireSemaphore('ticket:a', 2);
    await locks.acquireSemaphore('ticket:a', 2);
    await count.reset();
    await http.get('/tickets/a/once').expect(429);
    expect(await count.scripts()).toBe(0);
    expect((await calls()).seen.slice(before.length)).toEqual([{ args: ['a'], under }]);
  });

  it('should be counted each by its own name', async () => {
    for (const status of [200, 200, 429]) await http.get('/tickets/a/common').expect(status);
    await http.get('/tickets/a/other').expect(200, 'other').expect('X-RateLimit-Remaining', '1');
    expect(await count.scripts()).toBe(3 * scripts);
    expect(await redis.keys()).toEqual([]);
  });

  it('should be let in up to the limit of the lock where they are not throttled', async () => {
    const requests = Array.from({ length: CROWD }, () => http.get(`/tickets/a/unbounded/${limit}`).expect(200));
    await Promise.all(requests);
    expect(await calls()).toMatchObject({ most: limit, inside: 0 });
    expect(await redis.keys()).toEqual([]);
  });
});
