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

    /** Runs a task inside. */
    async during(id, task) {
      return task();
    }
  }
  decorateMethod(WithLock('order:<0>'), Orders.prototype, 'pay');
  decorateMethod(WithLock('order:<0>'), Orders.prototype, 'during');
  Injectable()(Orders);
  return Orders;
}

async function createApp(
  { RedisLockModule },
  { Module, NestFactory },
  { providers = [], connection = process.env.REDIS_URL } = {},
) {
  class App {}
  const imports = [RedisLockModule.forRoot({ connection })];
  Module({ imports, providers })(App);
  return NestFactory.createApplicationContext(App, { logger: ['error'] });
}

/** One holder, one waiter, and one who does not want to wait. */
async function handOver(first, second, key) {
  const lease = await first.acquire(key);
  const waiting = second.acquire(key, { fair: true });
  const deadline = Date.now() + 20_000;
  while ((await first.inspect(key)).waiters.length === 0) {
    assert.ok(Date.now() < deadline, 'nobody waits');
  }
  await assert.rejects(second.acquire(key, { wait: 0 }), { code: 'LOCK_BUSY' });
  assert.equal(await lease.release(), true);
  assert.equal(await (await waiting).release(), true);
}

async function smoke(lib, nest) {
  const Orders = makeOrders(lib, nest);
  const app = await createApp(lib, nest, { providers: [Orders] });
  const locks = app.get(lib.LockService);
  assert.equal(await app.get(Orders).pay('7'), 'paid 7');
  assert.equal(await locks.withLock('k', async (lease) => lease.held), true);
  await handOver(locks, locks, 'busy');
  await app.close();
}

module.exports = { createApp, handOver, makeOrders, smoke };
