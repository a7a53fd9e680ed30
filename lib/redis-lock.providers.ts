import { Logger, type InjectionToken, type Provider } from '@nestjs/common';
import { APP_INTERCEPTOR, DiscoveryService } from '@nestjs/core';
import { createLockEngine } from './engine/create-lock-engine.js';
import { guardedLogger } from './guarded-logger.js';
import type { RedisLockModuleOptions } from './interfaces/module-options.interface.js';
import { LockService } from './lock.service.js';
import { checkModuleOptions } from './options/check-module-options.js';
import { getLockServiceToken } from './redis-lock.constants.js';
import { RedisLockExplorer } from './redis-lock.explorer.js';
import { RetryAfterInterceptor } from './retry-after.interceptor.js';
import { SILENCE } from './silence.js';

/** @param options of a sync or async module, not looked at yet */
function createLockService(options: RedisLockModuleOptions): LockService {
  const settings = checkModuleOptions(options);
  const logger = guardedLogger(settings.logger === false ? SILENCE : (settings.logger ?? new Logger('RedisLock')));
  for (const warning of settings.warnings) logger.warn(warning);
  return new LockService(createLockEngine(settings, logger), settings.defaults, logger);
}

/**
 * Providers of one module.
 *
 * @param name of the module; only one without a name provides the class
 * @param optionsToken under which the options of the module are
 */
export function createRedisLockProviders(name: string | undefined, optionsToken: InjectionToken): Provider[] {
  const token = getLockServiceToken(name);
  // Where the class is provided, it comes first: a test that overrides it then overrides what decorators use, too.
  const service = name === undefined ? LockService : token;
  return [
    { provide: service, useFactory: createLockService, inject: [optionsToken] },
    ...(name === undefined ? [{ provide: token, useExisting: LockService }] : []),
    {
      provide: RedisLockExplorer,
      useFactory: (discovery: DiscoveryService, service: LockService) =>
        new RedisLockExplorer(discovery, service, name),
      inject: [DiscoveryService, token],
    },
    { provide: APP_INTERCEPTOR, useClass: RetryAfterInterceptor },
  ];
}

/** What modules that import ours may inject. */
export function exportedTokens(name: string | undefined): InjectionToken[] {
  const token = getLockServiceToken(name);
  return name === undefined ? [token, LockService] : [token];
}
