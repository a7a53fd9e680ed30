import { Body, Controller, Get, Param, Post, Query, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Semaphore, WithLock } from 'nestjs-redis-lock';
import { OrderDto } from './order.dto.js';

/** The same controller, with what `lock` puts above or below the decorators of Nest and swagger. */
export function documentedController(above: MethodDecorator, below: MethodDecorator): Type<unknown> {
  @Controller('orders')
  class OrderController {
    @above
    @Get(':id')
    @ApiOperation({ summary: 'one order' })
    @ApiResponse({ status: 200, type: OrderDto })
    @below
    async get(@Param('id') id: string, @Query('verbose') _verbose: string): Promise<OrderDto> {
      return { id };
    }

    @above
    @Post()
    @ApiResponse({ status: 201, type: OrderDto })
    @below
    async create(@Body() order: OrderDto): Promise<OrderDto> {
      return order;
    }
  }
  return OrderController;
}

const nothing: MethodDecorator = () => undefined;
const lock = WithLock('k') as MethodDecorator;
const semaphore = Semaphore(2, 'k') as MethodDecorator;

export const plain = documentedController(nothing, nothing);
export const lockedAbove = documentedController(lock, nothing);
export const lockedBelow = documentedController(nothing, semaphore);
