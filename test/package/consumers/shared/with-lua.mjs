// Locks on the embedded server, in both builds, where Lua is installed.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { createRequire } from 'node:module';
import * as esmLibrary from 'nestjs-redis-lock';
import * as esm from 'nestjs-redis-lock/testing';
import assert from 'node:assert/strict';

const require = createRequire(import.meta.url);
const builds = [
  [esmLibrary, esm],
  [require('nestjs-redis-lock'), require('nestjs-redis-lock/testing')],
];
for (const [{ LockService }, { RedisLockTestingModule }] of builds) {
  const app = await NestFactory.createApplicationContext(RedisLockTestingModule.forRoot(), { logger: false });
  const locks = app.get(LockService);
  const lease = await locks.acquire('k');
  assert.equal(await locks.tryAcquire('k'), null);
  assert.equal(await lease.release(), true);
  await app.close();
}
