import { Body, Controller, Get, Param, ParseFloatPipe, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MillisPipe } from '../common/millis.pipe.js';
import { OrderService } from './order.service.js';
import { PayDto } from './pay.dto.js';

@ApiTags('orders')
@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrderService) {}

  @Post(':orderId/payments')
  @ApiOperation({ summary: "Pay towards an order: @WithLock('order:<0>')" })
  @ApiBody({ type: PayDto })
  async pay(
    @Param('orderId') orderId: string,
    @Body('amount', ParseFloatPipe) amount: number,
    @Body('takes', new MillisPipe(4)) takes: number,
  ) {
    return { orderId, paid: await this.orders.pay(orderId, amount, takes) };
  }

  @Get(':orderId')
  @ApiOperation({ summary: 'How much of an order has been paid' })
  async show(@Param('orderId') orderId: string) {
    return { orderId, paid: await this.orders.paid(orderId) };
  }
}
