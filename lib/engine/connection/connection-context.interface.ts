import type { LoggerService } from '@nestjs/common';
import type { Clock } from '../clock.js';
import type { Runtime } from '../runtime.js';
import type { Scripts } from './scripts.js';
import type { ServerCheck } from './server-check.js';

/** What a connection needs of the engine. */
export interface ConnectionContext {
  /** What it is for, in the log. */
  readonly name?: string;
  readonly scripts?: Scripts;
  readonly check?: ServerCheck;
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly logger: LoggerService;
  /** Longest wait for one answer, ms. */
  readonly commandTimeout: number;
}
