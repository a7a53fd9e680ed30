import type { LoggerService } from '@nestjs/common';
import type { Connection } from '../engine/connection/connection-source.js';
import type { TurnLimits } from '../engine/cohort/turn.js';
import type { Settings } from './settings.interface.js';

/** Options of a module, validated and complete; every time in milliseconds. */
export interface ModuleSettings {
  readonly connection: Connection;
  readonly namespace: string | undefined;
  readonly defaults: Settings;
  readonly commandTimeout: number;
  readonly handoffTtl: number;
  readonly pollInterval: number;
  readonly cohort: TurnLimits;
  readonly shutdownTimeout: number;
  /** `false` for silence; undefined for Nest's own. */
  readonly logger: false | LoggerService | undefined;
  /** For the logger: what is allowed but hardly meant. */
  readonly warnings: readonly string[];
}
