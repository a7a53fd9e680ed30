import { UseGuards, type Type } from '@nestjs/common';
import { ConnectedSocket, MessageBody, SubscribeMessage, WebSocketGateway, type WsResponse } from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { DenyGuard } from '../../controllers/deny.guard.js';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';

export interface OrderMessage {
  id: string;
  nonce?: number;
}

/** On the port of the HTTP server. */
export function orderGateway({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @WebSocketGateway()
  class OrderGateway {
    constructor(private readonly calls: Calls) {}

    @above
    @SubscribeMessage('pay')
    @below
    async pay(
      @MessageBody() order: OrderMessage,
      @ConnectedSocket() socket: WebSocket,
      @MessageBody('nonce') nonce: number,
    ): Promise<WsResponse<number>> {
      return this.calls.run({ event: 'paid', data: nonce }, order, socket.readyState);
    }

    @above
    @UseGuards(DenyGuard)
    @SubscribeMessage('guarded')
    @below
    async guarded(@MessageBody() order: OrderMessage): Promise<WsResponse<string>> {
      return this.calls.run({ event: 'let in', data: order.id }, order);
    }
  }
  return OrderGateway;
}
