import { CacheInterceptor, CacheKey, CacheTTL } from '@nestjs/cache-manager';
import { Controller, Get, Param, UseInterceptors, type Type } from '@nestjs/common';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';

/** How long the fleeting answer is kept, ms. */
export const FLEETING = 30;

/** Answers differ from call to call, unless they come out of the cache. */
export function priceController({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @Controller('prices/:id')
  class PriceController {
    constructor(private readonly calls: Calls) {}

    @above
    @Get('keyed')
    @UseInterceptors(CacheInterceptor)
    @CacheKey('the price')
    @below
    async keyed(@Param('id') id: string): Promise<{ price: number }> {
      return this.calls.run({ price: this.calls.seen.length }, id);
    }

    @above
    @CacheTTL(FLEETING)
    @UseInterceptors(CacheInterceptor)
    @Get('fleeting')
    @below
    async fleeting(@Param('id') id: string): Promise<{ price: number }> {
      return this.calls.run({ price: this.calls.seen.length }, id);
    }
  }
  return PriceController;
}
