// What any project does with the package, whichever way it was loaded.
const assert = require('node:assert/strict');

/** Applies decorators as the compiler would. */
function decorateMethod(decorator, target, key) {
  const descriptor = Object.getOwnPropertyDescriptor(target, key);
  const changed = decorator(target, key, descriptor) ?? descriptor;
  Object.defineProperty(target, key, changed);
}

/** A class whose method is locked by one copy of the package. */
function makeOrders({ WithLock }, { Injectable }) {
  class Orders {
    async pay(id) {
      return `paid ${id}`;
    }
  }
  decorateMethod(WithLock('order:<0>'), Orders.prototype, 'pay');
  Injectable()(Orders);
  return Orders;
}

async function createApp({ RedisLockModule }, { Module, NestFactory }, provider) {
  class App {}
  const connection = process.env.REDIS_URL;
  const imports = [RedisLockModule.forRoot({ connection })];
  Module({ imports, providers: [provider] })(App);
  return NestFactory.createApplicationContext(App, { logger: ['error'] });
}

async function smoke(lib, nest) {
  const Orders = makeOrders(lib, nest);
  const app = await createApp(lib, nest, Orders);
  const locks = app.get(lib.LockService);
  assert.equal(await app.get(Orders).pay('7'), 'paid 7');
  assert.equal(await locks.withLock('k', async (lease) => lease.held), true);
  const lease = await locks.acquire('busy');
  const second = locks.acquire('busy', { wait: 0 });
  await assert.rejects(second, { code: 'LOCK_BUSY' });
  assert.equal(await lease.release(), true);
  await app.close();
}

module.exports = { createApp, makeOrders, smoke };
