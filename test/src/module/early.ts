import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type { LockKeys } from '../classes/lock-keys.js';

/** Uses a locked method of somebody else in each hook of the start. */
@Injectable()
export class EarlyUser implements OnModuleInit, OnApplicationBootstrap {
  readonly seen: Record<string, string[]> = {};

  constructor(private readonly target: LockKeys) {}

  async onModuleInit(): Promise<void> {
    this.seen['onModuleInit'] = await this.target.keys();
  }

  async onApplicationBootstrap(): Promise<void> {
    this.seen['onApplicationBootstrap'] = await this.target.keys();
  }
}
