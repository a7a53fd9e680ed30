import { describe, expect, it } from '@jest/globals';
import { RedisLockModule } from 'nestjs-redis-lock';
import initSqlJs, { type Database } from 'sql.js';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { Balances, DATABASE } from '../../src/recipes/balances.js';
import { Checks } from '../../src/recipes/checks.js';
import { DepositService } from '../../src/recipes/deposit.service.js';

const redis = useRedis();

async function openDatabase(): Promise<Database> {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run('CREATE TABLE account (id TEXT PRIMARY KEY, balance INTEGER NOT NULL, fence BIGINT NOT NULL DEFAULT 0)');
  database.run("INSERT INTO account (id, balance) VALUES ('a', 100)");
  return database;
}

/** One process, in the eyes of Redis; `ttl` is short so that a stop of the work outlives it. */
async function start(database: Database, ttl: number) {
  const app = await startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url, logger: false, defaults: { ttl, renew: false } })],
    providers: [DepositService, Balances, Checks, { provide: DATABASE, useValue: database }],
  });
  return { deposits: app.get(DepositService), balances: app.get(Balances), checks: app.get(Checks) };
}

describe('A table that remembers the fence of its last writer', () => {
  it('takes the writes of holders in their order', async () => {
    const database = await openDatabase();
    const [one, two] = [await start(database, 30_000), await start(database, 30_000)];
    await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? one : two).deposits.deposit('a', 1)));
    expect(one.balances.read('a')).toBe(110);
  });

  it('refuses a holder that comes back after its lease, and keeps what its successor wrote', async () => {
    const database = await openDatabase();
    const [late, next] = [await start(database, 300), await start(database, 30_000)];
    let goOn: (() => void) | undefined;
    late.checks.pass = () => new Promise((resolve) => (goOn = resolve));
    const frozen = late.deposits.deposit('a', 50);
    const refused = expect(frozen).rejects.toThrow('Somebody else has changed the account meanwhile.');
    await waitUntil(() => goOn !== undefined, 'the first one has read the balance');
    await next.deposits.deposit('a', 7);
    goOn?.();
    await refused;
    expect(next.balances.read('a')).toBe(107);
  });
});
