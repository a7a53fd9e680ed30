import { createHash } from 'node:crypto';
import { replaceGlobals } from '../core/globals.js';
import { Random } from '../core/random.js';
import { World } from '../core/world.js';
import type { Fault } from '../faults/fault.js';
import type { History } from '../history/history.js';
import type { ScriptPatch } from '../server/sim-server.js';
import { KEYS } from '../workload/draw-order.js';
import { drawFaults, Nemesis } from './nemesis.js';

/** Longer than any fault lasts, and any work or wait of the program. */
const REST = 40_000;
const LAST_WORK = 50;

export interface SeedOptions {
  readonly seed: number;
  readonly seconds: number;
  /** Those that may strike. */
  readonly faults: readonly Fault[];
  /** All of them strike, not only a part that the seed draws. */
  readonly all?: boolean;
  readonly patchScript?: ScriptPatch | undefined;
  /** Commands are written down, too. */
  readonly records?: boolean;
}

export interface SeedRun {
  readonly seed: number;
  readonly history: History;
  /** Equal for equal histories. */
  readonly hash: string;
  readonly faults: readonly string[];
  readonly strikes: number;
  /** Simulated ms. */
  readonly time: number;
}

/** Lets one history happen. Everything in it follows from the seed. */
export async function runSeed(options: SeedOptions): Promise<SeedRun> {
  const random = new Random(options.seed);
  const faults = options.all ? options.faults : drawFaults(random.fork('weather'), options.faults);
  const cancels = faults.some(({ name }) => name === 'cancel');
  const { patchScript, records = false } = options;
  const world = await World.create(random, { cancels, patchScript, records });
  const restore = replaceGlobals(world.scheduler);
  const rejected = (error: unknown): void => {
    world.history.leftovers.push({ at: world.scheduler.now, what: `unhandled rejection: ${String(error)}` });
  };
  process.on('unhandledRejection', rejected);
  try {
    const nemesis = new Nemesis(world, random.fork('nemesis'), faults);
    await live(world, options.seconds * 1_000);
    const names = faults.map(({ name }) => name);
    const { history, scheduler } = world;
    return {
      seed: options.seed,
      history,
      hash: hashOf(history),
      faults: names,
      strikes: nemesis.strikes,
      time: scheduler.now,
    };
  } finally {
    process.off('unhandledRejection', rejected);
    restore();
    world.server.stop();
  }
}

async function live(world: World, ms: number): Promise<void> {
  const { scheduler, history } = world;
  const clients = world.random.fork('size').int(4, 6);
  for (let i = 0; i < clients; i++) world.addClient();
  await scheduler.runUntil(ms);
  world.resting = true;
  await scheduler.runUntil(ms + REST);
  makeLastCalls(world);
  await scheduler.runUntil(ms + 2 * REST);
  for (const client of world.clients) world.shutDown(client);
  // By then the queues of those who died in them have run out.
  await scheduler.runUntil(ms + 3 * REST);
  for (const watch of world.watches) {
    for (const name of watch.leftovers()) history.leftovers.push({ at: scheduler.now, what: `${name} is left` });
  }
}

/** Every key is asked for by an old process and by a new one. */
function makeLastCalls(world: World): void {
  const { clients, habits, history, scheduler } = world;
  const clientsToAsk = [world.addClient(), ...clients.slice(0, 1)];
  for (const client of clientsToAsk) {
    for (const key of KEYS) {
      const order = {
        ...key,
        style: 'section',
        ttl: habits.longestTtl,
        renew: true,
        fair: false,
        wait: 30_000,
        minHold: 0,
        hold: LAST_WORK,
        obedient: true,
        patience: Infinity,
        abandons: false,
      } as const;
      const call = (): void => {
        const { attempt } = world.call(client, order);
        history.last.push(attempt.id);
      };
      // The new one has to connect first.
      scheduler.plan(1_000, 'call', call, client.process);
    }
  }
}

function hashOf({ attempts, ownerships, log }: History): string {
  return createHash('sha1')
    .update(JSON.stringify([attempts, ownerships, log]))
    .digest('hex')
    .slice(0, 12);
}
