// A client: a process of an application that uses the built package. Driven by messages, see fleet.mjs.
import 'reflect-metadata';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import { now } from '../clock.mjs';
import { RegisterClient } from '../register/register-client.mjs';
import { Caller } from './caller.mjs';
import { History } from './history.mjs';
import { COMMAND_TIMEOUT, HANDOFF_TTL, POLL_INTERVAL, REPLICA_TIMEOUT, TTL } from './workload.mjs';

/**
 * @import { Lease, RedisLockModuleOptions } from 'nestjs-redis-lock'
 * @import { ClientSettings, Target } from '../types.mjs'
 * @import { Commands } from './commands.mjs'
 */

const settings = /** @type {ClientSettings} */ (JSON.parse(process.argv[2] ?? '{}'));
const history = new History(settings.history);
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (/** @type {unknown} */ error) => {
    history.note({ e: 'unhandled', text: error instanceof Error ? String(error.stack) : String(error) });
  });
}

const { connection, replicas, mutant } = settings;
const module = RedisLockModule.forRoot({
  connection: /** @type {RedisLockModuleOptions['connection']} */ (connection),
  commandTimeout: COMMAND_TIMEOUT,
  handoffTtl: HANDOFF_TTL,
  pollInterval: POLL_INTERVAL,
  // Holders that vanished never end their work.
  shutdownTimeout: 500,
  logger: history.logger(),
  ...(replicas ? { defaults: { replicas: { min: replicas, timeout: REPLICA_TIMEOUT } } } : {}),
});
const app = await NestFactory.createApplicationContext(module, { logger: false });
const locks = app.get(LockService);
const own = mutant === 'blind-delete' ? new Redis({ ...connection, maxRetriesPerRequest: 0 }) : undefined;
own?.on('error', () => undefined);
const register = new RegisterClient(settings.register, own);

const quiet = new AbortController();
setMaxListeners(0, quiet.signal);
/** @type {Promise<unknown> | undefined} */
let work;
/** @type {Map<string, Lease>} */
const kept = new Map();

/**
 * @param {Target} target
 * @param {number} wait
 */
const take = ({ kind, key, limit }, wait) => {
  const options = { ttl: TTL, wait, ...(kind === 'fair' ? { fair: true } : {}) };
  return kind === 'semaphore' ? locks.acquireSemaphore(key, limit, options) : locks.acquire(key, options);
};

/**
 * Takes and gives back, and tries again while Redis or its replicas are not there.
 *
 * @param {Target} target
 * @param {number} until
 * @returns {Promise<{ key: string, at: number | null, reason: string }>}
 */
async function probe(target, until) {
  try {
    const lease = await take(target, Math.max(0, until - now()));
    const at = now();
    await lease.release();
    return { key: target.key, at, reason: '' };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    if (now() >= until) return { key: target.key, at: null, reason: message };
    await sleep(100);
    return probe(target, until);
  }
}

/** @type {Commands} */
const commands = {
  start: () => {
    const callers = Array.from(
      { length: settings.callers },
      // Every other one passes locks on within the process.
      (_, i) => new Caller(locks, history, register, settings, quiet.signal, i % 2 === 1),
    );
    work = Promise.all(callers.map((caller) => caller.run()));
  },
  quiet: () => {
    quiet.abort('quiet');
  },
  probe: (targets, wait) => Promise.all(targets.map((target) => probe(target, now() + wait))),
  take: async (target, name, wait) => {
    kept.set(name, await take(target, wait));
    return now();
  },
  give: async (name) => {
    await kept.get(name)?.release();
    kept.delete(name);
  },
  queue: (target, count, wait) => {
    for (let i = 0; i < count; i += 1) {
      take(target, wait).then(
        (lease) => lease.release().catch(() => undefined),
        () => undefined,
      );
    }
  },
  waiting: async (key) => (await locks.inspect(key)).waiters.length,
  latency: async (key, times, min) => {
    /** @type {number[]} */
    const took = [];
    for (let i = 0; i < times; i += 1) {
      const at = now();
      const lease = await locks.acquire(key, { ttl: TTL, ...(min ? { replicas: { min } } : {}) });
      took.push(now() - at);
      await lease.release();
    }
    return took;
  },
  close: async () => {
    quiet.abort('quiet');
    await work;
    await app.close();
    register.close();
  },
};

/** @param {{ id: number, command: keyof Commands, args: unknown[] }} message */
async function answer({ id, command, args }) {
  const run = /** @type {(...args: unknown[]) => unknown} */ (commands[command]);
  try {
    process.send?.({ id, result: await run(...args) });
  } catch (error) {
    process.send?.({ id, error: /** @type {Error} */ (error).message });
  }
}

process.on('message', (message) => void answer(/** @type {Parameters<typeof answer>[0]} */ (message)));
// The run is gone.
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
