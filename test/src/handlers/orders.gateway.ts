import { ConnectedSocket, MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { currentLease, WithLock } from 'nestjs-redis-lock';
import { defer, Observable } from 'rxjs';
import type { WebSocket } from 'ws';
import { Overlap } from '../controllers/overlap.js';

interface Answer {
  event: string;
  data: string;
}

@WebSocketGateway({ path: '/orders' })
export class OrdersGateway {
  constructor(private readonly overlap: Overlap) {}

  @SubscribeMessage('below')
  @WithLock('order:<1>')
  async lockBelow(@ConnectedSocket() _socket: WebSocket, @MessageBody() _id: string): Promise<Answer> {
    return this.answer();
  }

  @WithLock('order:<0>')
  @SubscribeMessage('above')
  async lockAbove(@MessageBody() _id: string): Promise<Answer> {
    return this.answer();
  }

  @SubscribeMessage('stream')
  @WithLock('order:<0>')
  stream(@MessageBody() _id: string): Observable<Answer> {
    return defer(() => this.answer());
  }

  private async answer(): Promise<Answer> {
    return this.overlap.work({ event: 'answer', data: String(currentLease()?.key) });
  }
}
