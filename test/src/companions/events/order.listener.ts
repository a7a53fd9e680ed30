import { Injectable, type Type } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';

export interface OrderEvent {
  id: string;
}

export function orderListener({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @Injectable()
  class OrderListener {
    constructor(private readonly calls: Calls) {}

    @above
    @OnEvent('order.paid')
    @below
    async paid(order: OrderEvent, by: string): Promise<string> {
      return this.calls.run(`${order.id} paid by ${by}`, order, by);
    }

    @above
    @OnEvent('parcel.*')
    @OnEvent('letter.sent')
    @below
    async sent(order: OrderEvent): Promise<string> {
      return this.calls.run('sent', order);
    }

    @above
    @OnEvent('order.refused', { suppressErrors: false })
    @below
    async refused(order: OrderEvent): Promise<void> {
      throw new Error(await this.calls.run(`${order.id} is refused`, order));
    }
  }
  return OrderListener;
}
