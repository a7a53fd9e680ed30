// As in a monorepo: the client comes from another copy of ioredis than the one that the package finds.
const assert = require('node:assert/strict');
const { Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const own = require('ioredis');
const lib = require('nestjs-redis-lock');
const { createApp, handOver } = require('./smoke.cjs');

async function lockThrough(copy) {
  const { Redis } = require(copy);
  assert.notEqual(Redis, own.Redis, 'really another copy');
  const connection = new Redis(process.env.REDIS_URL, { keyPrefix: `${copy}:` });
  const apps = await Promise.all([1, 2].map(() => createApp(lib, { Module, NestFactory }, { connection })));
  const [first, second] = apps.map((app) => app.get(lib.LockService));
  await handOver(first, second, 'shared');

  const lease = await first.acquire('named');
  assert.notEqual(await connection.get('lock:named'), null, 'in its database, with its prefix');
  await lease.release();
  await Promise.all(apps.map((app) => app.close()));
  assert.equal(await connection.ping(), 'PONG', 'the client is still that of the application');
  connection.disconnect();
}

async function main() {
  await lockThrough('other-ioredis');
  await lockThrough('second-ioredis');
}

void main();
