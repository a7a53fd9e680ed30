import type { LoggerService } from '@nestjs/common';
import { checkSpace } from '../keys/check-space.js';
import type { ModuleSettings } from '../options/module-settings.js';
import { Clock } from './clock.js';
import { CommandConnection } from './connection/command-connection.js';
import { RedisClients } from './connection/redis-client.js';
import { WakeChannel } from './connection/wake-channel.js';
import type { EngineContext } from './engine-context.js';
import { Farewells } from './farewells.js';
import { HeldLeases } from './holding/held-leases.js';
import { LeaseKeeper } from './holding/lease-keeper.js';
import type { LockEngine } from './lock-engine.interface.js';
import { HandoffEngine } from './lock-engine.js';
import { ReplicaBarrier } from './replicas/replica-barrier.js';
import { systemRuntime, type Runtime } from './runtime.js';
import { TokenMaker } from './token.js';
import { Acquirer } from './waiting/acquirer.js';

/** Puts the parts of an engine together. Nothing is connected yet. */
export function createLockEngine(
  settings: ModuleSettings,
  logger: LoggerService,
  runtime: Runtime = systemRuntime,
): LockEngine {
  const clients = new RedisClients(settings.connection);
  const clock = new Clock(runtime);
  const tokens = new TokenMaker();
  const surroundings = { runtime, clock, logger, commandTimeout: settings.commandTimeout };
  const commands = new CommandConnection(clients.make(), surroundings);
  const wake = new WakeChannel(clients.make(), `lock:wake:${tokens.clientId}`, commands, surroundings);
  const farewells = new Farewells(runtime, clock, commands, settings);
  const keeper = new LeaseKeeper(runtime, clock, commands, logger);
  const leases = new HeldLeases(clock, commands, farewells, keeper);
  const { prefix, warning } = checkSpace(
    { keyPrefix: clients.keyPrefix, namespace: settings.namespace },
    'RedisLockModule',
  );
  if (warning !== undefined) logger.warn(warning);
  const context: EngineContext = {
    runtime,
    clock,
    logger,
    times: settings,
    prefix,
    tokens,
    commands,
    wake,
    farewells,
    leases,
  };
  const barrier = new ReplicaBarrier(
    clock,
    () => new CommandConnection(clients.make(), { ...surroundings, name: 'replicas' }),
  );
  return new HandoffEngine(context, new Acquirer(context), keeper, barrier);
}
