import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { GatewayModule } from './gateway/gateway.module.js';
import { JournalModule } from './journal/journal.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { lockModule } from './locking.js';
import { LocksModule } from './locks/locks.module.js';
import { NightlyModule } from './nightly/nightly.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { SeatsModule } from './seats/seats.module.js';
import { StockModule } from './stock/stock.module.js';
import { StoreModule } from './store/store.module.js';
import { TenantsModule } from './tenants/tenants.module.js';

@Module({
  imports: [
    lockModule(),
    ScheduleModule.forRoot(),
    StoreModule,
    JournalModule,
    OrdersModule,
    SeatsModule,
    GatewayModule,
    NightlyModule,
    LedgerModule,
    StockModule,
    TenantsModule,
    LocksModule,
  ],
})
export class AppModule {}
