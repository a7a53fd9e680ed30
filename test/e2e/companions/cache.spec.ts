import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CACHE_MANAGER, CacheModule, type Cache } from '@nestjs/cache-manager';
import { RedisLockModule } from 'nestjs-redis-lock';
import request from 'supertest';
import { loadScripts } from '../../helpers/script-requests.js';
import { CommandCount } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { priceController } from '../../src/companions/cache/price.controller.js';
import { Calls } from '../../src/companions/calls.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();
const count = new CommandCount(redis);

beforeAll(() => loadScripts(redis));

describe.each(variants('price:<0>'))('Handlers with a cache ($name)', (variant) => {
  let http: ReturnType<typeof request>;
  let calls: Calls;
  let cache: Cache;

  beforeEach(async () => {
    const app = await startApp({
      imports: [RedisLockModule.forRoot({ connection: redis.url, logger: false }), CacheModule.register()],
      controllers: [priceController(variant)],
      providers: [Calls],
    });
    http = request(app.getHttpServer());
    calls = app.get(Calls);
    cache = app.get(CACHE_MANAGER);
  });

  it('should answer from the cache without the lock, also while somebody else holds it', async () => {
    await http.get('/prices/a/keyed').expect(200, { price: 0 });
    await waitUntil(async () => (await cache.get('the price')) != null, 'the answer in the cache');
    expect(await cache.get('the price')).toEqual({ price: 0 });
    const { locks } = await openLocks({ connection: redis.url });
    await locks.acquire('price:a');
    await locks.acquireSemaphore('price:a', 2);
    await locks.acquireSemaphore('price:a', 2);
    await count.reset();
    await http.get('/prices/a/keyed').expect(200, { price: 0 }).expect('X-Cache', 'HIT');
    expect(await count.scripts()).toBe(0);
    expect(calls.seen).toHaveLength(1);
  });

  it('should keep an answer no longer than its handler says', async () => {
    await http.get('/prices/a/fleeting').expect(200, { price: 0 });
    const renewed = async () => (await http.get('/prices/a/fleeting').expect(200)).body.price === 1;
    await waitUntil(renewed, 'an answer that is not from the cache');
    expect(calls.seen.map(({ under }) => under)).toEqual(Array(2).fill(variant.scripts > 0 ? 'price:a' : undefined));
    expect(await redis.keys()).toEqual([]);
  });

  it('should let requests that find nothing in the cache in up to the limit', async () => {
    calls.together = variant.limit;
    await Promise.all(Array.from({ length: CROWD }, () => http.get('/prices/a/keyed').expect(200)));
    expect(calls).toMatchObject({ most: variant.limit, inside: 0 });
    expect(await redis.keys()).toEqual([]);
  });
});
