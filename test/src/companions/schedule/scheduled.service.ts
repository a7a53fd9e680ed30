import { Injectable, type Type } from '@nestjs/common';
import { Cron, Interval, Timeout } from '@nestjs/schedule';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';

export const NEVER = '0 0 0 1 1 *';

/** Jobs of every kind, all under one key. */
export function scheduledService({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @Injectable()
  class ScheduledService {
    constructor(private readonly calls: Calls) {}

    @above
    @Cron(NEVER, { name: 'cron' })
    @below
    async cron(): Promise<void> {
      await this.calls.run(undefined, 'cron');
    }

    @above
    @Interval('interval', 2)
    @below
    async interval(): Promise<void> {
      await this.calls.run(undefined, 'interval');
    }

    @above
    @Timeout('timeout', 1)
    @below
    async timeout(): Promise<void> {
      await this.calls.run(undefined, 'timeout');
    }
  }
  return ScheduledService;
}
