import { Controller, Get, Headers, Inject, Injectable, Scope } from '@nestjs/common';
import {
  ContextIdFactory,
  REQUEST,
  type ContextId,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';
import { currentLease, WithLock } from 'nestjs-redis-lock';
import { Overlap } from '../controllers/overlap.js';

/** Counts the objects that were made of the classes below. */
@Injectable()
export class Births {
  readonly of: Record<string, number> = {};

  count(name: string): void {
    this.of[name] = (this.of[name] ?? 0) + 1;
  }
}

/** One object for each tenant. */
@Injectable({ scope: Scope.REQUEST, durable: true })
export class TenantService {
  constructor(
    births: Births,
    private readonly overlap: Overlap,
    @Inject(REQUEST) private readonly context: { tenant: string },
  ) {
    births.count('tenant');
  }

  get tenant(): string {
    return this.context.tenant;
  }

  @WithLock('shared by tenants')
  async work(): Promise<string> {
    return this.overlap.work(`${this.tenant} under ${currentLease()?.key}`);
  }
}

@Controller({ path: 'durable', scope: Scope.REQUEST, durable: true })
export class DurableController {
  constructor(private readonly service: TenantService) {}

  @Get()
  get(): Promise<string> {
    return this.service.work();
  }
}

/** One object for each request; its key is a field of that object. */
@Controller({ path: 'request', scope: Scope.REQUEST })
export class RequestScopedController {
  readonly id: string;

  constructor(
    births: Births,
    private readonly overlap: Overlap,
    @Inject(REQUEST) request: { headers: { 'x-tenant-id': string } },
  ) {
    births.count('request');
    this.id = request.headers['x-tenant-id'];
  }

  @Get()
  @WithLock('request:<this.id>')
  async get(@Headers('x-tenant-id') id: string): Promise<string> {
    return this.overlap.work(`${id} under ${currentLease()?.key}`);
  }
}

/** Every object that asks for it has its own. */
@Injectable({ scope: Scope.TRANSIENT })
export class TransientService {
  constructor(
    births: Births,
    private readonly overlap: Overlap,
  ) {
    births.count('transient');
  }

  @WithLock('transient')
  async work(): Promise<string> {
    return this.overlap.work(`under ${currentLease()?.key}`);
  }
}

@Injectable()
export class FirstUser {
  constructor(readonly service: TransientService) {}
}

@Injectable()
export class SecondUser {
  constructor(readonly service: TransientService) {}
}

/** One tree of durable objects for each tenant. */
export class TenantStrategy implements ContextIdStrategy {
  private readonly trees = new Map<string, ContextId>();

  attach(contextId: ContextId, request: { headers: { 'x-tenant-id': string } }) {
    const tenant = request.headers['x-tenant-id'];
    const tree = this.trees.get(tenant) ?? ContextIdFactory.create();
    this.trees.set(tenant, tree);
    return {
      resolve: ({ isTreeDurable }: HostComponentInfo) => (isTreeDurable ? tree : contextId),
      payload: { tenant },
    };
  }
}
