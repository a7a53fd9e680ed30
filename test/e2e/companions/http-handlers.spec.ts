import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RedisLockModule } from 'nestjs-redis-lock';
import request from 'supertest';
import { loadScripts } from '../../helpers/script-requests.js';
import { CommandCount } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { Calls } from '../../src/companions/calls.js';
import { itemController } from '../../src/companions/http/item.controller.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();
const count = new CommandCount(redis);

beforeAll(() => loadScripts(redis));

describe.each(variants('item:<0>'))('Handlers with decorators of Nest ($name)', (variant) => {
  const { limit, scripts } = variant;
  const locked = scripts > 0;
  const under = (id: string) => (locked ? `item:${id}` : undefined);
  let http: ReturnType<typeof request>;
  let calls: Calls;

  beforeEach(async () => {
    const app = await startApp({
      imports: [RedisLockModule.forRoot({ connection: redis.url, logger: false })],
      controllers: [itemController(variant)],
      providers: [Calls],
    });
    http = request(app.getHttpServer());
    calls = app.get(Calls);
    await count.reset();
  });

  it.each([
    ['a guard that reads metadata of SetMetadata', 'a/roles?role=guest', 403, 'a/roles?role=owner'],
    ['a guard that reads metadata of Reflector.createDecorator', 'a/scope?scope=read', 403, 'a/scope?scope=write'],
    ['a pipe of the method', '4/pipe', 400, 'a/pipe'],
    ['a pipe of a parameter', 'a/parameters/many', 400, 'a/parameters/7'],
  ])('should deny by %s, and then take no lock [BC-01]', async (_, denied, status, allowed) => {
    await http.get(`/items/${denied}`).set('x-region', 'eu').expect(status);
    expect(await count.scripts()).toBe(0);
    expect(calls.seen).toEqual([]);
    await http.get(`/items/${allowed}`).set('x-region', 'eu').expect(200);
    expect(await count.scripts()).toBe(scripts);
    expect(calls.seen).toHaveLength(1);
  });

  it('should deny at once while somebody else holds the lock', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    await locks.acquire('item:a');
    await locks.acquireSemaphore('item:a', 2);
    await locks.acquireSemaphore('item:a', 2);
    await count.reset();
    await http.get('/items/a/roles?role=guest').expect(403);
    await http.get('/items/a/interceptor?known=answer').expect(200, { known: 'answer' });
    expect(await count.scripts()).toBe(0);
  });

  it('should run interceptors, pipes and filters of a method', async () => {
    await http.get('/items/a/interceptor').expect(200, { data: 'made' });
    await http.get('/items/a/pipe').expect(200, 'A');
    await http.get('/items/a/filter').expect(410, { reason: 'a is sold out' });
    // The key is made from what the pipe gave.
    expect(calls.seen.map((call) => call.under)).toEqual([under('a'), under('A'), under('a')]);
    expect(await redis.keys()).toEqual([]);
  });

  it('should keep status, headers and redirects', async () => {
    const accepted = await http.post('/items/a/status').expect(202, 'accepted');
    expect(accepted.headers).toMatchObject({ 'x-item': 'yes', 'cache-control': 'no-store' });
    await http.get('/items/a/redirect/default').expect(301).expect('Location', '/elsewhere');
    await http.get('/items/a/redirect/there').expect(307).expect('Location', 'there');
  });

  it("should pass parameters on as Nest and decorators of one's own make them", async () => {
    const headers = { 'x-client': 'mobile', 'x-region': 'eu' };
    await http.get('/items/a/parameters/7').set(headers).expect(200, ['a', 7, 'mobile', 'EU']);
    expect(calls.seen).toEqual([{ args: ['a', 7, 'mobile', 'EU'], under: under('a') }]);
  });

  it('should leave the response to the handler, or to both', async () => {
    const both = await http.get('/items/a/passthrough').expect(203, 'body');
    expect(both.headers['set-cookie']).toEqual(['item=a; Path=/']);
    await http.get('/items/a/response').expect(203, 'sent by the handler');
  });

  it('should let requests in up to the limit, and give everything back [BC-23]', async () => {
    calls.together = limit;
    const all = Array.from({ length: CROWD }, () => http.get('/items/a/pipe').expect(200, 'A'));
    await Promise.all(all);
    expect(calls).toMatchObject({ most: limit, inside: 0 });
    expect(calls.seen).toHaveLength(CROWD);
    expect(await redis.keys()).toEqual([]);
  });

  it('should lock calls from inside the class, too', async () => {
    calls.together = Math.min(limit, 3);
    await http.get('/items/a/internal').expect(200, ['a', 'a', 'a']);
    expect(calls).toMatchObject({ most: Math.min(limit, 3), inside: 0 });
    expect(calls.seen.map((call) => call.under)).toEqual(Array(3).fill(under('a')));
    expect(await redis.keys()).toEqual([]);
  });
});

describe('A filter of one method with a lock on it', () => {
  it.each(variants('item:<0>').filter(({ limit }) => limit === 1))(
    'should see that the lock is busy ($name)',
    async (variant) => {
      const { locks } = await openLocks({ connection: redis.url });
      await locks.acquire('item:a');
      const app = await startApp({
        imports: [RedisLockModule.forRoot({ connection: redis.url, defaults: { wait: 0 }, logger: false })],
        controllers: [itemController(variant)],
        providers: [Calls],
      });
      await request(app.getHttpServer()).get('/items/a/filter').expect(410, { reason: 'busy' });
      expect(app.get(Calls).seen).toEqual([]);
    },
  );
});
