import type { LoggerService } from '@nestjs/common';
import { checkSpace } from '../keys/check-space.js';
import { checkCohort } from './check-cohort.js';
import { checkConnection } from './check-connection.js';
import { checkOptions } from './check-options.js';
import { wrongValue } from './check-value.js';
import {
  DEFAULT_COMMAND_TIMEOUT,
  DEFAULT_HANDOFF_TTL,
  DEFAULT_SETTINGS,
  DEFAULT_SHUTDOWN_TIMEOUT,
  MIN_HANDOFF_TTL,
  MIN_POLL_INTERVAL,
} from './defaults.js';
import type { ModuleSettings } from './module-settings.js';
import { DEFAULT_OPTIONS, MODULE_OPTIONS } from './option-names.js';
import { parseDuration } from './parse-duration.js';
import type { Settings } from './settings.interface.js';
import { unknownOption } from './unknown-option.js';

/**
 * @param options of `forRoot`, or what a factory returned; without `name` and `isGlobal`
 * @throws LockOptionsError
 */
export function checkModuleOptions(options: unknown, where = 'RedisLockModule'): ModuleSettings {
  const given = knownOptions(options, where);
  const warnings: string[] = [];
  const { namespace, commandTimeout, handoffTtl, shutdownTimeout } = given;
  checkSpace({ namespace }, where);
  const duration = (option: string, value: unknown, min: number) => parseDuration(value, { option, where, min });
  const lease = duration('handoffTtl', handoffTtl ?? DEFAULT_HANDOFF_TTL, MIN_HANDOFF_TTL);
  return {
    connection: checkConnection(given.connection, where),
    namespace: namespace as string | undefined,
    defaults: checkDefaults(given.defaults, `${where}, defaults`, warnings),
    commandTimeout: duration('commandTimeout', commandTimeout ?? DEFAULT_COMMAND_TIMEOUT, 1),
    handoffTtl: lease,
    pollInterval: duration('pollInterval', given.pollInterval ?? lease, MIN_POLL_INTERVAL),
    cohort: checkCohort(given.cohort, where),
    shutdownTimeout: duration('shutdownTimeout', shutdownTimeout ?? DEFAULT_SHUTDOWN_TIMEOUT, 0),
    logger: checkLogger(given.logger, where),
    warnings,
  };
}

function knownOptions(options: unknown, where: string): Record<string, unknown> {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw wrongValue(options, 'the options argument', where, 'it must be an object, such as { connection: url }');
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [option, value] of given) {
    if (!MODULE_OPTIONS.has(option)) throw unknownOption(option, where, MODULE_OPTIONS);
    if (value === null) throw wrongValue(value, option, where, 'leave it out for the default');
  }
  return Object.fromEntries(given);
}

function checkDefaults(options: unknown, where: string, warnings: string[]): Settings {
  const own = checkOptions(options, where, DEFAULT_OPTIONS, warnings);
  return { ...DEFAULT_SETTINGS, ...own, waitChosen: own.wait !== undefined };
}

function checkLogger(logger: unknown, where: string): false | LoggerService | undefined {
  if (logger === undefined || logger === false) return logger;
  const { log, error, warn } = Object(logger) as Partial<LoggerService>;
  if ([log, error, warn].every((method) => typeof method === 'function')) return logger as LoggerService;
  throw wrongValue(logger, 'logger', where, 'it must be false or a logger with log, warn and error');
}
