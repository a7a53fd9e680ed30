import { describe, expect, it } from '@jest/globals';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { RedisLockModule } from 'nestjs-redis-lock';
import { useProcessEvents } from '../../helpers/process-events.js';
import { startApp, stopApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { Calls } from '../../src/companions/calls.js';
import { scheduledService } from '../../src/companions/schedule/scheduled.service.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();
const processEvents = useProcessEvents();
const lockModule = () => RedisLockModule.forRoot({ connection: redis.url, logger: false });

const ORDERS = [
  { order: 'before', imports: () => [ScheduleModule.forRoot(), lockModule()] },
  { order: 'after', imports: () => [lockModule(), ScheduleModule.forRoot()] },
];
const CASES = ORDERS.flatMap((order) => variants('job').map((variant) => ({ ...order, ...variant })));

describe('Scheduled methods', () => {
  it.each(CASES)(
    'should run on schedule and under their lock, imported $order the module of locks ($name) [BC-01, BC-23, BC-69]',
    async ({ imports, limit, scripts, ...placement }) => {
      const providers = [Calls, scheduledService(placement)];
      const app = await startApp({ imports: imports(), providers });
      const calls = app.get(Calls);
      calls.together = limit;
      await app.get(SchedulerRegistry).getCronJob('cron').fireOnTick();
      const ran = (kind: string) => calls.seen.filter(({ args }) => args[0] === kind).length;
      const done = () => ran('cron') > 0 && ran('timeout') > 0 && ran('interval') > 5;
      await waitUntil(done, 'jobs of every kind');
      // Without a lock nothing bounds them.
      expect(Math.min(calls.most, CROWD)).toBe(limit);
      expect(new Set(calls.seen.map(({ under }) => under))).toEqual(new Set([scripts > 0 ? 'job' : undefined]));
      await stopApp(app);
      expect([ran('cron'), ran('timeout'), await redis.keys()]).toEqual([1, 1, []]);
      // Those that still waited are told, and it is the scheduler that hears of it.
      expect(processEvents.seen).toEqual([]);
    },
  );
});
