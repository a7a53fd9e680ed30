import { Controller, Get } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { currentLease, lockKey, WithLock } from 'nestjs-redis-lock';
import { defer, Observable } from 'rxjs';
import { Overlap } from '../controllers/overlap.js';

/** Answers messages, and requests where the application is a hybrid one. */
@Controller()
export class OrdersController {
  constructor(private readonly overlap: Overlap) {}

  @MessagePattern('below')
  @WithLock((id: string) => lockKey`order:${id}`)
  async lockBelow(@Payload() _id: string): Promise<string> {
    return this.work();
  }

  @WithLock('order:<0>')
  @MessagePattern('above')
  async lockAbove(@Payload() _id: string): Promise<string> {
    return this.work();
  }

  @MessagePattern('stream')
  @WithLock('order:<0>')
  stream(@Payload() _id: string): Observable<string> {
    return defer(() => this.work());
  }

  @Get('orders')
  @WithLock('order:7')
  async get(): Promise<string> {
    return this.work();
  }

  private work(): Promise<string> {
    return this.overlap.work(String(currentLease()?.key));
  }
}
