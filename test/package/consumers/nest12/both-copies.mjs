// One process has both forms, as when a dependency of an ESM application
// requires the package: they must be one package to each other.
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as esm from 'nestjs-redis-lock';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createApp, makeOrders } from './smoke.cjs';

const cjs = createRequire(import.meta.url)('nestjs-redis-lock');
assert.notEqual(esm.LockBusyError, cjs.LockBusyError, 'really two copies');

for (const name of [undefined, 'second']) {
  assert.equal(esm.getLockServiceToken(name), cjs.getLockServiceToken(name));
}

const nest = { Injectable, Module, NestFactory };
const Orders = makeOrders(cjs, nest);
const app = await createApp(esm, nest, Orders);
const orders = app.get(Orders);
const locks = app.get(esm.getLockServiceToken());
assert.equal(await orders.pay('7'), 'paid 7', 'decorator of the other copy');

const nested = locks.withLock('order:8', () => orders.pay('8'));
assert.equal(await nested, 'paid 8', 'reentrancy through the other copy');

const lease = await locks.acquire('order:9');
const busy = locks.acquire('order:9', { wait: 0 });
await assert.rejects(busy, { code: 'LOCK_BUSY' });
await lease.release();
await app.close();
