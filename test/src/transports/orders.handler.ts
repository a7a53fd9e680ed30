import { Controller, UseFilters, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload, type TcpContext } from '@nestjs/microservices';
import { currentLease, lockKey, LockInterceptor, WithLock } from 'nestjs-redis-lock';
import { LockRpcFilter } from './lock-error.filters.js';

@Controller()
export class OrdersHandler {
  @MessagePattern('pay')
  @WithLock((id: string) => lockKey`secret:${id}`, { wait: 0 })
  async pay(@Payload() id: string): Promise<string> {
    return `${id} under ${currentLease()?.key}`;
  }

  /** `<0>` is the data. */
  @MessagePattern('order')
  @UseInterceptors(LockInterceptor.with('secret:<0>', { wait: 0 }))
  order(@Payload() id: string): string {
    return `${id} under ${currentLease()?.key}`;
  }

  @MessagePattern('described')
  @UseInterceptors(
    LockInterceptor.with((id: string, context: TcpContext) => lockKey`secret:${context.getPattern()}:${id}`, {
      wait: 0,
      abortOnDisconnect: true,
    }),
  )
  described(@Payload() id: string): string {
    return `${id} under ${currentLease()?.key}`;
  }
}

@UseFilters(new LockRpcFilter())
@Controller()
export class FilteredHandler extends OrdersHandler {}
