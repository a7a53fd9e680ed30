import { Body, Controller, Get, HttpCode, Param, ParseIntPipe, Post, Query, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExcludeEndpoint,
  ApiExtension,
  ApiHeader,
  ApiNotFoundResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { Variant } from '../variants.js';
import { ProductDto, SearchDto } from './shop.dto.js';

/** Asynchronous, since the plugin of Nest 11 puts imports that are awaited into the decorators. */
export async function shopController({ above, below }: Pick<Variant, 'above' | 'below'>): Promise<Type<unknown>> {
  @Controller('products')
  class ShopController {
    /** Finds products */
    @above
    @Get()
    @below
    async find(@Query() _search: SearchDto): Promise<ProductDto[]> {
      return [];
    }

    /**
     * Adds a product
     *
     * @remarks It can be found at once.
     * @throws {409} It is there already.
     */
    @above
    @HttpCode(202)
    @Post()
    @below
    async add(@Body() product: ProductDto): Promise<ProductDto> {
      return product;
    }

    @above
    @ApiOperation({ summary: 'one product', deprecated: true })
    @ApiTags('shop', 'one')
    @ApiParam({ name: 'id', description: 'number of the product' })
    @ApiHeader({ name: 'X-Region' })
    @ApiNotFoundResponse({ description: 'no such product' })
    @Get(':id')
    @ApiBearerAuth()
    @ApiProduces('application/json', 'text/csv')
    @ApiExtension('x-internal', { team: 'shop' })
    @ApiQuery({ name: 'depth', required: false })
    @below
    async one(@Param('id') id: string, @Query('depth', ParseIntPipe) _depth: number): Promise<ProductDto> {
      return { id, tags: [] };
    }

    @above
    @ApiExcludeEndpoint()
    @Get(':id/hidden')
    @below
    async hidden(@Param('id') id: string): Promise<string> {
      return id;
    }
  }
  return ShopController;
}
