import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { RedisLockModule } from 'nestjs-redis-lock';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { lockedAbove, lockedBelow, plain } from '../src/swagger/documented.controllers.js';

describe('The OpenAPI document of locked handlers', () => {
  const redis = useRedis();

  async function documentOf(controller: Type<unknown>): Promise<string> {
    const imports = [RedisLockModule.forRoot({ connection: redis.url })];
    const app = await startApp({ imports, controllers: [controller] });
    return JSON.stringify(SwaggerModule.createDocument(app, new DocumentBuilder().build()));
  }

  it('should be what it is without locks [BC-02]', async () => {
    const expected = await documentOf(plain);
    expect(expected).toMatch(/"name":"verbose".*"operationId":"OrderController_create"/);
    expect(await documentOf(lockedAbove)).toBe(expected);
    expect(await documentOf(lockedBelow)).toBe(expected);
  });
});
