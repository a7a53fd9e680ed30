import { Controller, Get, UseGuards, UseInterceptors } from '@nestjs/common';
import { LockInterceptor } from 'nestjs-redis-lock';
import { LateGuard } from './late.guard.js';
import { Workshop } from './workshop.js';

const KEY = 'order:<0.params.id>';

@Controller()
export class OrdersController {
  constructor(private readonly workshop: Workshop) {}

  /** Whose wait ends with its client. */
  @Get('orders/:id')
  @UseInterceptors(LockInterceptor.with(KEY, { wait: '1m', abortOnDisconnect: true }))
  async order(): Promise<string> {
    return this.workshop.work();
  }

  @Get('late/:id')
  @UseGuards(LateGuard)
  @UseInterceptors(LockInterceptor.with(KEY, { wait: '1m', abortOnDisconnect: true }))
  async late(): Promise<string> {
    return this.workshop.work();
  }

  /** Whose wait goes on without. */
  @Get('stubborn/:id')
  @UseInterceptors(LockInterceptor.with(KEY, { wait: '1m' }))
  async stubborn(): Promise<string> {
    return this.workshop.work();
  }
}
