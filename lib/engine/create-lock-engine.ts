import type { LoggerService } from '@nestjs/common';
import { checkSpace } from '../keys/check-space.js';
import type { ModuleSettings } from '../options/module-settings.js';
import { Clock } from './clock.js';
import { Cohorts } from './cohort/cohorts.js';
import { ClusterServers } from './cluster/cluster-servers.js';
import { ClusterTopology } from './cluster/cluster-topology.js';
import { ClusterWakes } from './cluster/cluster-wakes.js';
import { SlotMap } from './collections/slot-map.js';
import { CommandConnection } from './connection/command-connection.js';
import type { ConnectionContext } from './connection/connection-context.interface.js';
import { readConnection, type ClusterSource, type SingleSource } from './connection/connection-source.js';
import type { CallTimes } from './connection/lock-calls.js';
import { ServerCheck } from './connection/server-check.js';
import type { Servers } from './connection/servers.interface.js';
import { SingleServer } from './connection/single-server.js';
import { SingleWake } from './connection/single-wake.js';
import type { WakeHost, Wakes } from './connection/wake.interface.js';
import type { EngineContext } from './engine-context.js';
import { Farewells } from './farewells.js';
import type { HeldLease } from './holding/held-lease.js';
import { HeldLeases } from './holding/held-leases.js';
import { LeaseKeeper } from './holding/lease-keeper.js';
import type { LockEngine } from './lock-engine.interface.js';
import { HandoffEngine } from './lock-engine.js';
import { ReplicaBarriers } from './replicas/replica-barriers.js';
import { systemRuntime, type Runtime } from './runtime.js';
import { TokenMaker } from './token.js';
import { Acquirer } from './waiting/acquirer.js';

/** Puts the parts of an engine together. Nothing is connected yet. */
export function createLockEngine(
  settings: ModuleSettings,
  logger: LoggerService,
  runtime: Runtime = systemRuntime,
): LockEngine {
  const source = readConnection(settings.connection);
  const clock = new Clock(runtime);
  const tokens = new TokenMaker(runtime);
  const check = new ServerCheck(logger);
  const surroundings = { runtime, clock, logger, check, commandTimeout: settings.commandTimeout };
  // The acquirer is made last, and no channel says anything before it was asked for.
  const host: WakeHost = {
    receive: (message, address) => acquirer.handovers.receive(message, address),
    changed: () => acquirer.pollAll(),
    get waiting() {
      return acquirer.waiting;
    },
  };
  const { servers, wakes } =
    source.kind === 'cluster'
      ? connectCluster(source, tokens.clientId, surroundings, host, settings)
      : connectSingle(source, tokens.clientId, surroundings, host, settings);
  const farewells = new Farewells(runtime, clock, servers, settings.commandTimeout);
  const byToken = new SlotMap<HeldLease>();
  const keeper = new LeaseKeeper(byToken, runtime, clock, servers, logger);
  const leases = new HeldLeases(byToken, clock, servers, farewells, keeper);
  const { prefix, warning } = checkSpace(
    { keyPrefix: source.keyPrefix, namespace: settings.namespace },
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
    servers,
    wakes,
    farewells,
    leases,
  };
  const acquirer: Acquirer = new Acquirer(context);
  const cohorts = new Cohorts(context, acquirer, settings.cohort);
  return new HandoffEngine(context, acquirer, cohorts, keeper, new ReplicaBarriers(clock, servers));
}

interface Connections {
  servers: Servers;
  wakes: Wakes;
}

function connectSingle(
  source: SingleSource,
  clientId: string,
  context: ConnectionContext,
  host: WakeHost,
  times: CallTimes,
): Connections {
  const commands = new CommandConnection(source.make(), context);
  const more = (name: string): CommandConnection => new CommandConnection(source.make(), { ...context, name });
  return {
    servers: new SingleServer(commands, more, times),
    wakes: new SingleWake(source.make(), `lock:wake:${clientId}`, commands, context, host),
  };
}

function connectCluster(
  { cluster }: ClusterSource,
  clientId: string,
  context: ConnectionContext,
  host: WakeHost,
  times: CallTimes,
): Connections {
  const topology = new ClusterTopology(cluster, context);
  const servers = new ClusterServers(topology, context, times);
  return { servers, wakes: new ClusterWakes(clientId, topology, servers, context, host, times.pollInterval) };
}
