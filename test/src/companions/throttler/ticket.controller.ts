import { Controller, Get, Param, type Type } from '@nestjs/common';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';

const FOREVER = 3_600_000;

/** How often a handler may be called where nothing else is said. */
export const COMMON = { limit: 2, ttl: FOREVER };

export function ticketController({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @Controller('tickets/:id')
  class TicketController {
    constructor(private readonly calls: Calls) {}

    @above
    @Get('common')
    @below
    async common(@Param('id') id: string): Promise<string> {
      return this.calls.run('common', id);
    }

    @above
    @Get('other')
    @below
    async other(@Param('id') id: string): Promise<string> {
      return this.calls.run('other', id);
    }

    @above
    @Throttle({ default: { limit: 1, ttl: FOREVER } })
    @Get('once')
    @below
    async once(@Param('id') id: string): Promise<string> {
      return this.calls.run('once', id);
    }

    @above
    @Get('unbounded/:together')
    @SkipThrottle()
    @below
    async unbounded(@Param('id') id: string, @Param('together') together: string): Promise<string> {
      this.calls.together = Number(together);
      return this.calls.run('unbounded', id);
    }

    @SkipThrottle()
    @Get('calls')
    seen(): Pick<Calls, 'seen' | 'most' | 'inside'> {
      const { seen, most, inside } = this.calls;
      return { seen, most, inside };
    }
  }
  return TicketController;
}
