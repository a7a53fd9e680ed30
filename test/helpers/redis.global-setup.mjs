import { provideRedis } from '../../tools/redis/index.mjs';

/** Finds a Redis before the first test, for all workers at once. */
export default async function setup() {
  const provider = await provideRedis();
  const from = provider.kind === 'container' ? provider.image : provider.binary;
  console.log(`\nRedis for these tests: ${provider.kind}, ${from}`);
}
