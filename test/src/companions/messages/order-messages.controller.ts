import { Catch, Controller, UseFilters, UseGuards, type RpcExceptionFilter, type Type } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload, RpcException, TcpContext } from '@nestjs/microservices';
import { LockBusyError } from 'nestjs-redis-lock';
import { concatMap, defer, from, Observable, throwError } from 'rxjs';
import { DenyGuard } from '../../controllers/deny.guard.js';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';

/** Tells a client that it may come back, which by default is not for it to know. */
@Catch(LockBusyError)
class BusyFilter implements RpcExceptionFilter<LockBusyError> {
  catch({ code, retryAfter }: LockBusyError): Observable<never> {
    return throwError(() => ({ code, again: retryAfter > 0 }));
  }
}

/** Every handler takes an id first, and has its lock on it. */
export function orderMessagesController({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @Controller()
  class OrderMessagesController {
    constructor(private readonly calls: Calls) {}

    @above
    @MessagePattern('pay')
    @below
    async pay(
      @Payload('id') id: string,
      @Payload() order: { id: string; amount: number },
      @Ctx() context: TcpContext,
    ): Promise<string> {
      return this.calls.run(`${id} paid ${order.amount}`, id, order, context.getPattern());
    }

    @above
    @EventPattern({ event: 'paid' })
    @below
    async paid(@Payload('id') id: string): Promise<void> {
      await this.calls.run(undefined, id);
    }

    @above
    @MessagePattern('parcels')
    @below
    parcels(@Payload('id') id: string): Observable<number> {
      return from([1, 2, 3]).pipe(concatMap((parcel) => defer(() => this.calls.run(parcel, id))));
    }

    @above
    @UseGuards(DenyGuard)
    @MessagePattern('guarded')
    @below
    async guarded(@Payload('id') id: string): Promise<string> {
      return this.calls.run('let in', id);
    }

    @above
    @MessagePattern('refuse')
    @below
    async refuse(@Payload('id') id: string): Promise<void> {
      throw new RpcException(await this.calls.run(`${id} is refused`, id));
    }

    @above
    @MessagePattern('filtered')
    @UseFilters(BusyFilter)
    @below
    async filtered(@Payload('id') id: string): Promise<string> {
      return this.calls.run('let in', id);
    }
  }
  return OrderMessagesController;
}
