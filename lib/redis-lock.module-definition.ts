import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { RedisLockModuleExtras, RedisLockModuleOptions } from './interfaces/module-options.interface.js';
import { createRedisLockProviders, exportedTokens } from './redis-lock.providers.js';

const MODULE_OPTIONS_TOKEN = 'REDIS_LOCK_MODULE_OPTIONS';
const EXTRAS: RedisLockModuleExtras = { name: undefined, isGlobal: true };

export const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<RedisLockModuleOptions>({
  optionsInjectionToken: MODULE_OPTIONS_TOKEN,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createRedisLockOptions')
  .setExtras(EXTRAS, (definition, { name, isGlobal }) => ({
    ...definition,
    global: isGlobal ?? true,
    providers: [...(definition.providers ?? []), ...createRedisLockProviders(name, MODULE_OPTIONS_TOKEN)],
    exports: exportedTokens(name),
  }))
  .build();
