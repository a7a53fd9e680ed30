// The testing entry loads, in both builds, where Lua is not installed, and says what is missing when it is asked for.
import { createRequire } from 'node:module';
import * as esm from 'nestjs-redis-lock/testing';
import assert from 'node:assert/strict';

const require = createRequire(import.meta.url);
assert.throws(() => require.resolve('wasmoon-lua5.1'));
for (const testing of [esm, require('nestjs-redis-lock/testing')]) {
  const lease = await testing.passThroughLockService().acquire('k');
  assert.equal(lease.held, true);
  await assert.rejects(testing.EmbeddedRedis.start(), {
    code: 'LOCK_OPTIONS',
    message: /npm install --save-dev wasmoon-lua5\.1@/,
  });
}
