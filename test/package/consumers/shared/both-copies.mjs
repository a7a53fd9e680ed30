// One process has both forms, as when a dependency of an ESM application requires the package, or two workspaces have it
// installed: they must be one package to each other.
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as esm from 'nestjs-redis-lock';
import * as esmTesting from 'nestjs-redis-lock/testing';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createApp, handOver, makeOrders } from './smoke.cjs';

const require = createRequire(import.meta.url);
const cjs = require('nestjs-redis-lock');
const cjsTesting = require('nestjs-redis-lock/testing');
assert.notEqual(esm.LockBusyError, cjs.LockBusyError, 'really two copies');

for (const name of [undefined, 'second']) {
  assert.equal(esm.getLockServiceToken(name), cjs.getLockServiceToken(name));
}

/** A class decorated by one copy, in an application with the module of the other. */
async function check(decorators, module, testing) {
  const nest = { Injectable, Module, NestFactory };
  const Orders = makeOrders(decorators, nest);
  const app = await createApp(module, nest, { providers: [Orders] });
  const orders = app.get(Orders);
  const locks = app.get(module.LockService);
  assert.equal(await orders.pay('7'), 'paid 7', 'decorator of the other copy');

  const nested = locks.withLock('order:8', () => orders.pay('8'));
  assert.equal(await nested, 'paid 8', 'reentrancy through the other copy');
  const back = orders.during('9', () => locks.withLock('order:9', { wait: 0 }, (lease) => lease.key));
  assert.equal(await back, 'order:9', 'and from it');

  const leases = () => [esm, cjs].map(({ currentLease }) => currentLease()?.fence);
  const [one, other] = await orders.during('10', leases);
  assert.ok(one > 0, 'there is a lease');
  assert.equal(one, other, 'both see it');

  const lease = await locks.acquire('order:11');
  const refused = { code: 'LOCK_BUSY', statusCode: 423 };
  await assert.rejects(locks.acquire('order:11', { wait: 0 }), refused);
  await lease.release();
  const own = await createApp(decorators, nest);
  await handOver(locks, own.get(decorators.LockService), 'order:12');
  await own.close();

  const bound = testing.bindLockService(new Orders(), locks);
  assert.equal(await bound.pay('13'), 'paid 13', 'bound by hand');
  await app.close();
}

await check(cjs, esm, esmTesting);
await check(cjs, esm, cjsTesting);
await check(esm, cjs, cjsTesting);
