import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema, type GraphQLFormattedError } from 'graphql';
import { RedisLockModule } from 'nestjs-redis-lock';
import request from 'supertest';
import { CommandCount } from '../../helpers/lock-state.js';
import { openLocks } from '../../helpers/open-locks.js';
import { loadScripts } from '../../helpers/script-requests.js';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { Calls } from '../../src/companions/calls.js';
import { itemResolver } from '../../src/companions/graphql/item.resolver.js';
import { keyOfItem } from '../../src/companions/graphql/item.type.js';
import { CROWD, variants, type Variant } from '../../src/companions/variants.js';

const redis = useRedis();
const count = new CommandCount(redis);

beforeAll(() => loadScripts(redis));

async function start(variant: Variant, wait: string | number = '5s', config: Partial<ApolloDriverConfig> = {}) {
  const app = await startApp({
    imports: [
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        autoSchemaFile: true,
        fieldResolverEnhancers: ['guards'],
        ...config,
      }),
      RedisLockModule.forRoot({ connection: redis.url, logger: false, defaults: { wait } }),
    ],
    providers: [Calls, itemResolver(variant)],
  });
  const ask = (query: string, headers: Record<string, string> = {}) =>
    request(app.getHttpServer()).post('/graphql').set(headers).send({ query });
  return { app, ask, calls: app.get(Calls) };
}

const cases = variants(keyOfItem);
const unlocked = cases[0] as Variant;

describe.each(cases)('Resolvers ($name)', (variant) => {
  const under = variant.scripts > 0 ? 'item:a' : undefined;
  let app: INestApplication;
  let ask: Awaited<ReturnType<typeof start>>['ask'];
  let calls: Calls;

  beforeEach(async () => {
    ({ app, ask, calls } = await start(variant));
    await count.reset();
  });

  it('should get arguments, parents and context, and answer, under their lock [BC-01, BC-69]', async () => {
    const { body } = await ask('mutation { payItem(id: "a") }', { 'x-client': 'mobile' });
    expect(body).toEqual({ data: { payItem: 'a paid 5' } });
    const query = await ask('{ item(id: "a") { id price(days: 3) } }');
    expect(query.body).toEqual({ data: { item: { id: 'a', price: 6 } } });
    expect(calls.seen).toEqual([
      { args: ['pay', 'a', 5, 'mobile', 'payItem'], under },
      { args: ['item', 'a'], under },
      { args: ['price', { id: 'a' }, 3], under },
    ]);
    expect([await count.scripts(), await redis.keys()]).toEqual([3 * variant.scripts, []]);
  });

  it('should be denied by guards, of a query and of a field, and then take no lock', async () => {
    const denied = await ask('{ audit(id: "a") }', { 'x-role': 'guest' });
    expect(denied.body).toMatchObject({ data: { audit: null }, errors: [{ message: 'Forbidden resource' }] });
    expect([await count.scripts(), calls.seen]).toEqual([0, []]);
    const field = await ask('{ item(id: "a") { secret } }', { 'x-role': 'guest' });
    expect(field.body).toMatchObject({ data: { item: { secret: null } }, errors: [{ message: 'Forbidden resource' }] });
    expect(await count.scripts()).toBe(variant.scripts);
    const allowed = await ask('{ audit(id: "a") item(id: "a") { secret } }', { 'x-role': 'owner' });
    expect(allowed.body).toEqual({ data: { audit: 'audit of a', item: { secret: 'secret of a' } } });
  });

  it('should make the schema that they make without a lock', async () => {
    const schemaOf = (from: INestApplication) =>
      printSchema(lexicographicSortSchema(from.get(GraphQLSchemaHost).schema));
    const expected = schemaOf((await start(unlocked)).app);
    expect(expected).toMatch(/price\(days: Int!\): Int!/);
    expect(schemaOf(app)).toBe(expected);
  });

  const ITEM = (i: number) => `f${i}: item(id: "a") { id }`;
  const PRICE = (i: number) => `f${i}: price(days: ${i})`;

  it.each([
    ['queries', ITEM, (fields: string) => `{ ${fields} }`],
    ['fields', PRICE, (fields: string) => `{ bare(id: "a") { ${fields} } }`],
  ])('should run up to the limit at once (%s)', async (_, field, query) => {
    calls.together = variant.limit;
    const { body } = await ask(query(Array.from({ length: CROWD }, (__, i) => field(i)).join(' ')));
    expect(body).toEqual({ data: expect.any(Object) });
    expect(calls.seen).toHaveLength(CROWD);
    expect(calls).toMatchObject({ most: variant.limit, inside: 0 });
    expect(await redis.keys()).toEqual([]);
  });
});

/** GraphQL answers with the message of an error, which is for logs. The public one stands beside it. */
function publicMessage(error: GraphQLFormattedError): GraphQLFormattedError {
  const { message = error.message } = (error.extensions?.['originalError'] ?? {}) as { message?: string };
  return { ...error, message };
}

describe('A busy lock in GraphQL', () => {
  it.each(cases.filter(({ limit }) => limit === 1))(
    'should be told by its code, without its key where formatError takes the public message ($name) [BC-73]',
    async (variant) => {
      const { locks } = await openLocks({ connection: redis.url });
      await locks.acquire('item:secret');
      const { ask, calls } = await start(variant, 0, { formatError: publicMessage });
      const { body } = await ask('mutation { payItem(id: "secret") }');
      const originalError = { statusCode: 423, code: 'LOCK_BUSY', message: 'The resource is locked. Try again later.' };
      expect(body).toMatchObject({
        data: null,
        errors: [{ message: originalError.message, path: ['payItem'], extensions: { status: 423, originalError } }],
      });
      expect(JSON.stringify(body)).not.toContain('secret');
      expect(calls.seen).toEqual([]);
    },
  );
});
