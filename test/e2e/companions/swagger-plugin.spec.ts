import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { startFixture, TO_COMPILE } from '../../helpers/fixture-process.js';
import { useRedis } from '../../helpers/use-redis.js';
import { variants } from '../../src/companions/variants.js';

const MAIN = 'src/companions/swagger-plugin/main.ts';

const cases = variants('product').map(({ name }, i) => ({ name, i }));

describe('The OpenAPI document of handlers that were compiled with the plugin of swagger', () => {
  const redis = useRedis();
  let documents: string[];

  beforeAll(async () => {
    documents = await startFixture<string[]>(MAIN, [redis.url], ['--swagger-plugin']);
  }, TO_COMPILE);

  it('should have what only the plugin knows', () => {
    const { paths, components } = JSON.parse(documents[0] ?? '') as OpenAPIObject;
    expect(components?.schemas?.['ProductDto']).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Number of the product' },
        price: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['id', 'tags'],
    });
    const { get, post } = paths['/products'] ?? {};
    expect(get?.parameters).toMatchObject([{ name: 'text' }, { name: 'most' }]);
    expect(get).toMatchObject({ operationId: 'ShopController_find', summary: 'Finds products' });
    expect(Object.keys(post?.responses ?? {})).toEqual(['202', '409']);
    expect(paths['/products/{id}']?.get).toMatchObject({
      deprecated: true,
      tags: expect.arrayContaining(['shop', 'one']),
    });
    expect(Object.keys(paths)).toHaveLength(2);
  });

  it.each(cases)('should be to the byte what it is without locks ($name) [BC-02]', ({ i }) => {
    expect(documents[i]).toBe(documents[0]);
  });
});
