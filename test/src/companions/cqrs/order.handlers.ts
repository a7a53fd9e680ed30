import type { Type } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  EventsHandler,
  Query,
  QueryHandler,
  type ICommandHandler,
  type IEventHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';

export class PayOrder extends Command<string> {
  constructor(
    readonly id: string,
    readonly amount: number,
  ) {
    super();
  }
}

export class GetOrder extends Query<string> {
  constructor(readonly id: string) {
    super();
  }
}

export class OrderPaid {
  constructor(readonly id: string) {}
}

/** Handlers are classes, so there is no other decorator on the method than the lock. */
export function orderHandlers({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown>[] {
  @CommandHandler(PayOrder)
  class PayOrderHandler implements ICommandHandler<PayOrder> {
    constructor(private readonly calls: Calls) {}

    @above
    @below
    async execute(command: PayOrder): Promise<string> {
      return this.calls.run(`${command.id} paid ${command.amount}`, command);
    }
  }

  @QueryHandler(GetOrder)
  class GetOrderHandler implements IQueryHandler<GetOrder> {
    constructor(private readonly calls: Calls) {}

    @above
    @below
    async execute(query: GetOrder): Promise<string> {
      return this.calls.run(`order ${query.id}`, query);
    }
  }

  @EventsHandler(OrderPaid)
  class OrderPaidHandler implements IEventHandler<OrderPaid> {
    constructor(private readonly calls: Calls) {}

    @above
    @below
    async handle(event: OrderPaid): Promise<void> {
      await this.calls.run(undefined, event);
    }
  }
  return [PayOrderHandler, GetOrderHandler, OrderPaidHandler];
}
