import { aftermath, type Fault } from './fault.js';
import type { World } from '../core/world.js';
import type { Random } from '../core/random.js';

const scriptFlush: Fault = {
  name: 'script-flush',
  group: 'safe',
  weight: 1,
  strike: (world) => world.server.forgetScripts(),
};

/** The server gets no processor; connections and requests wait for it. */
const pause: Fault = {
  name: 'server-pause',
  group: 'safe',
  weight: 1,
  strike(world, random) {
    const { server, scheduler } = world;
    if (server.process.state !== 'running' || !server.up) return;
    const ms = random.between(100, 3_000);
    world.disturb(this.name, undefined, ms, aftermath(world));
    scheduler.stop(server.process);
    scheduler.plan(ms, 'world', () => scheduler.resume(server.process));
  },
};

const restart: Fault = {
  name: 'restart',
  group: 'safe',
  weight: 1,
  strike: (world, random) => restartServer(world, random, 'restart', () => undefined),
};

const restartEmpty: Fault = {
  name: 'restart-empty',
  group: 'unsafe',
  weight: 1,
  strike: (world, random) => restartServer(world, random, 'restart-empty', () => world.server.loseData()),
};

const clockForward: Fault = {
  name: 'clock-forward',
  group: 'unsafe',
  weight: 1,
  strike: (world, random) => setClock(world, random.between(500, 8_000), 'clock-forward'),
};

const clockBack: Fault = {
  name: 'clock-back',
  group: 'unsafe',
  weight: 1,
  strike: (world, random) => setClock(world, -random.between(500, 8_000), 'clock-back'),
};

export const serverFaults = [scriptFlush, pause, restart, restartEmpty, clockForward, clockBack];

function restartServer(world: World, random: Random, fault: string, meanwhile: () => void): void {
  const { server, scheduler } = world;
  if (server.process.state !== 'running' || !server.up) return;
  const ms = random.between(20, 2_000);
  world.disturb(fault, undefined, ms, aftermath(world));
  server.crash();
  meanwhile();
  world.look();
  scheduler.plan(ms, 'world', () => server.restart());
}

function setClock(world: World, step: number, fault: string): void {
  world.disturb(fault, undefined, 0, aftermath(world), `${step}`);
  world.server.clockOffset += step;
  world.look();
}
