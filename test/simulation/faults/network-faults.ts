import type { SimClient } from '../client/sim-client.js';
import type { Random } from '../core/random.js';
import type { World } from '../core/world.js';
import type { Connection } from '../network/connection.js';
import { aftermath, type Fault } from './fault.js';

/** Some parcels take up to two seconds for a while. */
const slowNetwork: Fault = {
  name: 'slow-network',
  group: 'safe',
  weight: 2,
  strike(world, random) {
    const client = pickClient(world, random);
    if (!client) return;
    const ms = random.between(500, 4_000);
    world.disturb(this.name, client, ms + 2_000, aftermath(world));
    const connections = world.network.of(client.process);
    for (const connection of connections) connection.slowness = { share: 0.3, most: 2_000 };
    const end = (): void => connections.forEach((connection) => (connection.slowness = { share: 0, most: 0 }));
    world.scheduler.plan(ms, 'world', end);
  },
};

/** @param patience ms: a cut that waits for the next parcel may have to wait */
const cutFault = (
  name: string,
  { weight, patience }: { weight: number; patience: number },
  strike: (connection: Connection) => void,
): Fault => ({
  name,
  group: 'safe',
  weight,
  strike(world, random) {
    const connection = pickConnection(world, random);
    if (!connection) return;
    strike(connection);
    world.disturb(name, clientOf(world, connection), 0, patience + aftermath(world));
  },
});

const cut = cutFault('cut', { weight: 2, patience: 0 }, (connection) => connection.cut());
const cutBeforeRequest = cutFault('cut-before-request', { weight: 2, patience: 5_000 }, (connection) =>
  connection.cutAtNext('up'),
);
const cutBeforeReply = cutFault('cut-before-reply', { weight: 3, patience: 5_000 }, (connection) =>
  connection.cutAtNext('down'),
);

/** Everything of one client stands still; later it arrives after all, or the connections end. */
const halfOpen: Fault = {
  name: 'half-open',
  group: 'safe',
  weight: 2,
  strike(world, random) {
    const client = pickClient(world, random);
    if (!client) return;
    const ms = random.between(100, 4_000);
    const delivers = random.chance(0.6);
    world.disturb(this.name, client, ms, aftermath(world));
    world.network.isolate(client.process);
    world.scheduler.plan(ms, 'world', () => world.network.rejoin(client.process, delivers));
  },
};

/** One connection of two stands still: a process that is told of nothing but can ask, or the other way round. */
const halfDeaf: Fault = {
  name: 'half-deaf',
  group: 'safe',
  weight: 1,
  strike(world, random) {
    const connection = pickConnection(world, random);
    if (!connection) return;
    const ms = random.between(100, 8_000);
    world.disturb(this.name, clientOf(world, connection), ms, aftermath(world));
    connection.stall();
    world.scheduler.plan(ms, 'world', () => connection.heal(true));
  },
};

const lostMessages: Fault = {
  name: 'lost-messages',
  group: 'safe',
  weight: 2,
  strike(world, random) {
    const client = pickClient(world, random);
    if (!client) return;
    const ms = random.between(200, 4_000);
    // A message more or less is no excuse for a sleeping waiter: only for the turn that it lost.
    world.disturb(this.name, client, ms, 0);
    const connections = world.network.of(client.process);
    for (const connection of connections) connection.loseMessages(true);
    world.scheduler.plan(ms, 'world', () => connections.forEach((connection) => connection.loseMessages(false)));
  },
};

export const networkFaults = [slowNetwork, cut, cutBeforeRequest, cutBeforeReply, halfOpen, halfDeaf, lostMessages];

export function pickClient(world: World, random: Random): SimClient | undefined {
  const running = world.clients.filter(({ alive, process }) => alive && process.state === 'running');
  return running.length === 0 ? undefined : random.pick(running);
}

function pickConnection(world: World, random: Random): Connection | undefined {
  const usable = world.network.of().filter(({ usable, client }) => usable && client.state !== 'dead');
  return usable.length === 0 ? undefined : random.pick(usable);
}

function clientOf(world: World, connection: Connection): SimClient | undefined {
  return world.clients.find(({ process }) => process === connection.client);
}
