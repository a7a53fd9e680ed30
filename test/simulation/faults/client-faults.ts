import type { SimClient } from '../client/sim-client.js';
import type { World } from '../core/world.js';
import { aftermath, type Fault } from './fault.js';
import { pickClient } from './network-faults.js';

/** A process gets no processor; its sockets fill. */
const freeze: Fault = {
  name: 'freeze',
  group: 'safe',
  weight: 3,
  strike(world, random) {
    const client = pickClient(world, random);
    if (!client) return;
    const ms = random.between(100, 5_000);
    world.disturb(this.name, client, ms, aftermath(world));
    world.scheduler.stop(client.process);
    world.scheduler.plan(ms, 'world', () => world.scheduler.resume(client.process));
  },
};

/** A machine sleeps: its monotonic clock does not count that time, its wall clock does. */
const suspend: Fault = {
  name: 'suspend',
  group: 'safe',
  weight: 1,
  strike(world, random) {
    const client = pickClient(world, random);
    if (!client) return;
    if (wasSetLately(world, client)) return;
    const ms = random.between(100, 5_000);
    world.disturb(this.name, client, ms, aftermath(world), `${ms}`);
    world.scheduler.stop(client.process);
    world.scheduler.plan(ms, 'world', () => world.scheduler.resume(client.process, ms));
  },
};

/** A process ends from one moment to the next, with its machine or without; later another one starts. */
const kill: Fault = {
  name: 'kill',
  group: 'safe',
  weight: 2,
  strike(world, random) {
    const client = pickClient(world, random);
    if (!client) return;
    world.disturb(this.name, client, 0, Infinity);
    world.kill(client, random.chance(0.3));
    world.scheduler.plan(random.between(50, 2_000), 'world', () => world.addClient());
  },
};

const shutdown: Fault = {
  name: 'shutdown',
  group: 'safe',
  weight: 1,
  strike(world, random) {
    const client = pickClient(world, random);
    if (!client) return;
    world.disturb(this.name, client, 0, Infinity);
    world.shutDown(client);
    world.scheduler.plan(random.between(50, 2_000), 'world', () => world.addClient());
  },
};

/** Somebody sets the clock of a machine. */
const wallClock: Fault = {
  name: 'wall-clock',
  group: 'safe',
  weight: 1,
  strike(world, random) {
    const client = pickClient(world, random);
    if (!client) return;
    const step = random.between(-20_000, 20_000);
    world.disturb(this.name, client, 0, 0, `${step}`);
    client.runtime.skew += step;
  },
};

/** Stands for calls whose waiting is cancelled; see the workload. */
const cancel: Fault = { name: 'cancel', group: 'safe', weight: 0, strike: () => undefined };

export const clientFaults = [freeze, suspend, kill, shutdown, wallClock, cancel];

/** A sleep right behind a step of the wall clock cannot be seen by anybody: the step back hides it. */
function wasSetLately({ history, scheduler }: World, client: SimClient): boolean {
  return history.disturbances.some(
    (it) => it.fault === 'wall-clock' && it.client === client.name && it.from > scheduler.now - 10_000,
  );
}
