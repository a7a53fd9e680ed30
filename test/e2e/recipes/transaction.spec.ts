import { describe, expect, it } from '@jest/globals';
import { RedisLockModule } from 'nestjs-redis-lock';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { CounterService } from '../../src/recipes/counter.service.js';
import { counters } from '../../src/recipes/transactions.js';

const redis = useRedis();

async function start(): Promise<CounterService> {
  const lock = RedisLockModule.forRoot({ connection: redis.url, defaults: { wait: '1m' } });
  return (await startApp({ imports: [lock], providers: [CounterService] })).get(CounterService);
}

const TIMES = 20;
const times = (work: () => Promise<void>) => Promise.all(Array.from({ length: TIMES }, work));

describe('A lock and a transaction around one method', () => {
  it('lose nothing with the lock outside: it is given back after the commit (BC-85)', async () => {
    const service = await start();
    await times(() => service.increment('outside'));
    expect(counters.read('outside')).toBe(TIMES);
  });

  it('lose updates with the lock inside: the next holder reads before the commit (BC-85)', async () => {
    const service = await start();
    await times(() => service.incrementTooEarly('inside'));
    expect(counters.read('inside')).toBeGreaterThan(0);
    expect(counters.read('inside')).toBeLessThan(TIMES);
  });
});
