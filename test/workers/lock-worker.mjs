// A process of an application that uses the package as it was built. Tests drive it by messages, see
// test/helpers/lock-process.ts.
import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';

/**
 * @import { AcquireOptions, Lease } from 'nestjs-redis-lock'
 * @import { Commands, Look, Named, Pestering, ProcessOptions, Section, Target } from '../helpers/lock-process.types.js'
 */

const options = /** @type {ProcessOptions} */ (JSON.parse(process.argv[2] ?? '{}'));
const trueNow = Date.now.bind(Date);
let dateShift = options.dateShift ?? 0;
Date.now = () => trueNow() + dateShift;

const module = RedisLockModule.forRoot({ logger: false, ...options.module });
const app = await NestFactory.createApplicationContext(module, {
  logger: false,
});
const locks = app.get(LockService);

/** @type {Map<string, Lease>} */
const leases = new Map();
/** @type {{ stopped: boolean, ended: Promise<void>, result: Pestering } | undefined} */
let pestering;

/** One clock for all processes of the machine, ms. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

/**
 * @param {Target} target
 * @returns {Promise<Lease>}
 */
const take = ({ key, limit, options: how }) =>
  limit === undefined ? locks.acquire(key, how) : locks.acquireSemaphore(key, limit, how);

/** @param {string} name */
function leaseOf(name) {
  const lease = leases.get(name);
  if (lease === undefined) {
    throw new Error(`no lease "${name}"`);
  }
  return lease;
}

/**
 * @param {Lease} lease
 * @returns {Look}
 */
const lookAt = (lease) => ({
  at: now(),
  held: lease.held,
  remaining: lease.remaining,
  lost: lease.signal.aborted,
});

/**
 * @param {Target} target
 * @param {number} hold
 * @returns {Promise<Section>}
 */
function section({ key, limit, options: how }, hold) {
  /** @param {Lease} lease */
  const task = async ({ fence, token }) => {
    const entered = now();
    await (hold > 0 ? sleep(hold) : setImmediate());
    return { pid: process.pid, entered, left: now(), fence, token };
  };
  return limit === undefined ? locks.withLock(key, how, task) : locks.withSemaphore(key, limit, how, task);
}

/**
 * @param {Target} target
 * @param {Pestering} result
 */
async function tryOnce(target, result) {
  result.tries += 1;
  try {
    const lease = await take({
      ...target,
      options: { ...target.options, wait: 0 },
    });
    const { fence, token } = lease;
    result.grants.push({ at: now(), fence, token });
    await lease.release();
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== 'LOCK_BUSY') {
      throw error;
    }
  }
}

/** @type {{ [C in keyof Commands]: (...args: Parameters<Commands[C]>) => ReturnType<Commands[C]> | Promise<ReturnType<Commands[C]>> }} */
const commands = {
  acquire: async (target) => {
    const lease = await take(target);
    const at = now();
    leases.set(target.name, lease);
    return { at, fence: lease.fence, token: lease.token };
  },
  release: async ({ name }) => {
    const released = await leaseOf(name).release();
    return { released, at: now() };
  },
  look: ({ name }) => lookAt(leaseOf(name)),
  sections: async ({ callers, each, hold, ...target }) => {
    /** @type {Section[]} */
    const done = [];
    const caller = async () => {
      for (let i = 0; i < each; i += 1) {
        done.push(await section(target, hold));
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return done;
  },
  pester: (target) => {
    const mine = {
      stopped: false,
      ended: Promise.resolve(),
      result: /** @type {Pestering} */ ({ tries: 0, grants: [] }),
    };
    const loop = async () => {
      while (!mine.stopped) {
        await tryOnce(target, mine.result);
      }
    };
    mine.ended = loop();
    pestering = mine;
  },
  pestered: () => pestering?.result.tries ?? 0,
  rest: async () => {
    if (pestering === undefined) {
      throw new Error('not pestering');
    }
    pestering.stopped = true;
    await pestering.ended;
    return pestering.result;
  },
  lookAfterPause: ({ name, pause }) => {
    const lease = leaseOf(name);
    // Before the parent knows: the pause may come right behind the message.
    let last = now();
    // Messages to the parent go out with the event loop, which stands still from here on.
    writeSync(1, 'blocked\n');
    for (;;) {
      const at = now();
      if (at - last > pause) {
        return lookAt(lease);
      }
      last = at;
    }
  },
  shiftDate: (by) => {
    dateShift += by;
  },
};

/** @param {{ id: number, command: keyof Commands, args: unknown[] }} message */
async function answer({ id, command, args }) {
  const run = /** @type {(...args: unknown[]) => unknown} */ (commands[command]);
  try {
    process.send?.({ id, result: await run(...args) });
  } catch (error) {
    const { name, code, message } = /** @type {Error & { code?: string }} */ (error);
    process.send?.({ id, error: { name, code, message } });
  }
}

process.on('message', (message) => {
  void answer(/** @type {Parameters<typeof answer>[0]} */ (message));
});
// The test is gone.
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
