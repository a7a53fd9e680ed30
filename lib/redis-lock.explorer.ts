import type { OnModuleInit } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { LOCK_GATE, LOCKED_CONNECTIONS, getLockServiceProperty } from './redis-lock.constants.js';
import type { LockService } from './lock.service.js';
import { FROZEN_PROVIDER } from './redis-lock.messages.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * Gives the service to objects with locked methods that come out of factories or were provided as values, since Nest
 * injects properties only into objects that it makes itself.
 */
export class RedisLockExplorer implements OnModuleInit {
  private readonly property: symbol;

  /** @param name of the module */
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly service: LockService,
    private readonly name: string | undefined,
  ) {
    this.property = getLockServiceProperty(name);
  }

  onModuleInit(): void {
    for (const wrapper of this.discovery.getProviders()) this.fill(wrapper);
  }

  private fill(wrapper: Wrapper): void {
    // Objects of other scopes are made later; what stands for them here is a stub.
    if (wrapper.isAlias || !wrapper.isDependencyTreeStatic()) return;
    const instance: unknown = wrapper.instance;
    if (typeof instance !== 'object' || instance === null || !this.needsService(instance)) return;
    if (!Object.isExtensible(instance)) {
      this.service[LOCK_GATE].logger.warn(FROZEN_PROVIDER(String(wrapper.name)));
      return;
    }
    (instance as Record<symbol, unknown>)[this.property] = this.service;
  }

  private needsService(instance: object): boolean {
    const connections = (Reflect.getMetadata(LOCKED_CONNECTIONS, instance) ?? []) as (string | undefined)[];
    return connections.includes(this.name) && !(this.property in instance);
  }
}
