import { UseFilters, UseInterceptors } from '@nestjs/common';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { currentLease, LockInterceptor, WithLock } from 'nestjs-redis-lock';
import { Workshop } from '../disconnect/workshop.js';
import { LockWsFilter } from './lock-error.filters.js';

@WebSocketGateway()
export class OrdersGateway {
  constructor(private readonly workshop: Workshop) {}

  @SubscribeMessage('pay')
  @WithLock('secret:<0>', { wait: 0 })
  async pay(@MessageBody('id') id: string): Promise<object> {
    return { event: 'paid', data: `${id} under ${currentLease()?.key}` };
  }

  /** `<0>` is the client, `<1>` the data. */
  @SubscribeMessage('order')
  @UseInterceptors(LockInterceptor.with('secret:<1.id>', { wait: 0 }))
  order(@MessageBody('id') id: string): object {
    return { event: 'ordered', data: `${id} under ${currentLease()?.key}` };
  }

  @SubscribeMessage('slow')
  @UseInterceptors(LockInterceptor.with('secret:<1.id>', { wait: 0 }))
  async slow(): Promise<object> {
    return { event: 'slowly', data: await this.workshop.work() };
  }

  @SubscribeMessage('patient')
  @UseInterceptors(LockInterceptor.with('secret:<1.id>', { wait: '1m', abortOnDisconnect: true }))
  async patient(): Promise<object> {
    return { event: 'patience', data: await this.workshop.work() };
  }
}

/** Global filters do not reach gateways. */
@UseFilters(new LockWsFilter())
@WebSocketGateway()
export class FilteredGateway extends OrdersGateway {}
