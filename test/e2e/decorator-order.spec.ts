import { describe, expect, it } from '@jest/globals';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { RedisLockModule } from 'nestjs-redis-lock';
import request from 'supertest';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { DecoratedController } from '../src/controllers/decorated.controller.js';
import { ScheduledService } from '../src/controllers/scheduled.service.js';

describe('A lock decorator among the decorators of Nest', () => {
  const redis = useRedis();
  const start = () =>
    startApp({
      imports: [RedisLockModule.forRoot({ connection: redis.url }), ScheduleModule.forRoot()],
      controllers: [DecoratedController],
      providers: [ScheduledService],
    });

  it('should weaken no guard and lose no route, status or header, on either side [BC-01]', async () => {
    const app = await start();
    const http = request(app.getHttpServer());
    for (const side of ['below', 'above']) {
      await http.get(`/guard-${side}`).expect(403);
      await http.get(`/route-${side}`).expect(200, 'found');
      await http.post(`/code-${side}`).expect(202);
      await http.get(`/header-${side}`).expect('X-Test', side);
    }
  });

  it('should weaken no guard under a decorator that puts another function in place, with the metadata of its own [BC-01]', async () => {
    const http = request((await start()).getHttpServer());
    await http.get('/replaced').expect(403);
  });

  it('should leave scheduled methods scheduled, and locked [BC-01, BC-69]', async () => {
    const app = await start();
    const jobs = app.get(SchedulerRegistry).getCronJobs();
    const service = app.get(ScheduledService);
    for (const side of ['below', 'above']) {
      await jobs.get(`lock-${side}`)?.fireOnTick();
      await waitUntil(() => service.ran.includes(side), `the job with the lock ${side}`);
    }
    expect(service.ran).toEqual(['below', 'above']);
  });
});
