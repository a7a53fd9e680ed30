import type { LoggerService } from '@nestjs/common';
import type { Clock } from './clock.js';
import type { Servers } from './connection/servers.interface.js';
import type { Wakes } from './connection/wake.interface.js';
import type { Farewells } from './farewells.js';
import type { HeldLeases } from './holding/held-leases.js';
import type { Runtime } from './runtime.js';
import type { TokenMaker } from './token.js';

/** Times of the module, ms. */
export interface EngineTimes {
  readonly commandTimeout: number;
  readonly handoffTtl: number;
  readonly pollInterval: number;
  readonly shutdownTimeout: number;
}

/** The parts of one engine, as they know each other. */
export interface EngineContext {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly logger: LoggerService;
  readonly times: EngineTimes;
  /** Stands in front of every key. */
  readonly prefix: string;
  readonly tokens: TokenMaker;
  readonly servers: Servers;
  readonly wakes: Wakes;
  readonly farewells: Farewells;
  readonly leases: HeldLeases;
}
