import { Inject, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModuleRef, type DiscoveryService } from '@nestjs/core';
import type { LockService } from './lock.service.js';
import { LOCK_GATE, LOCKED_CONNECTIONS, getLockServiceProperty, getLockServiceToken } from './redis-lock.constants.js';
import { FROZEN_PROVIDER } from './redis-lock.messages.js';
import { lendService, serviceEnded } from './service-loans.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Host = NonNullable<Wrapper['host']>;

/**
 * Gives the service to objects with locked methods that come out of factories or were provided as values, since Nest
 * injects properties only into objects that it makes itself.
 */
export class RedisLockExplorer implements OnModuleInit, OnApplicationShutdown {
  private readonly property: symbol;
  private readonly services = new Map<Host | undefined, Promise<LockService | undefined>>();

  /** @param name of the module */
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly service: LockService,
    private readonly name: string | undefined,
  ) {
    this.property = getLockServiceProperty(name);
  }

  async onModuleInit(): Promise<void> {
    for (const wrapper of this.discovery.getProviders()) await this.fill(wrapper);
    this.services.clear();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.service.onApplicationShutdown();
    serviceEnded(this.service);
  }

  private async fill(wrapper: Wrapper): Promise<void> {
    // Objects of other scopes are made later; what stands for them here is a stub.
    if (wrapper.isAlias || !wrapper.isDependencyTreeStatic()) return;
    const instance: unknown = wrapper.instance;
    if (typeof instance !== 'object' || instance === null || !this.needsService(instance)) return;
    const service = await this.serviceIn(wrapper.host);
    if (service === undefined) return;
    if (Object.isExtensible(instance)) lendService(instance, this.property, service);
    else if (!(this.property in instance)) this.service[LOCK_GATE].logger.warn(FROZEN_PROVIDER(String(wrapper.name)));
  }

  private needsService(instance: object): boolean {
    const connections = (Reflect.getMetadata(LOCKED_CONNECTIONS, instance) ?? []) as (string | undefined)[];
    return connections.includes(this.name);
  }

  /** Where our module is there twice, an object has the service that a class of the same module would get. */
  private serviceIn(host: Host | undefined): Promise<LockService | undefined> {
    const known = this.services.get(host) ?? this.askNest(host);
    this.services.set(host, known);
    return known;
  }

  private async askNest(host: Host | undefined): Promise<LockService | undefined> {
    class Probe {
      service: LockService;
    }
    Inject(getLockServiceToken(this.name))(Probe.prototype, 'service');
    const moduleRef = host?.providers.get(ModuleRef)?.instance as ModuleRef | undefined;
    try {
      return (await moduleRef?.create(Probe))?.service;
    } catch {
      return undefined;
    }
  }
}
