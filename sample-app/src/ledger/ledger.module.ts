import { Module } from '@nestjs/common';
import { LedgerController } from './ledger.controller.js';
import { LedgerService } from './ledger.service.js';
import { LedgerStore } from './ledger.store.js';

@Module({
  controllers: [LedgerController],
  providers: [LedgerService, LedgerStore],
})
export class LedgerModule {}
