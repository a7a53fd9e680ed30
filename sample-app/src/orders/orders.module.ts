import { Module } from '@nestjs/common';
import { OrderService } from './order.service.js';
import { OrdersController } from './orders.controller.js';
import { PaymentStore } from './payment.store.js';

@Module({
  controllers: [OrdersController],
  providers: [OrderService, PaymentStore],
})
export class OrdersModule {}
