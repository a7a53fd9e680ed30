import { Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { rememberArrival } from './arrival.js';
import { JournalController } from './journal.controller.js';
import { JournalService } from './journal.service.js';

@Global()
@Module({
  controllers: [JournalController],
  providers: [JournalService],
  exports: [JournalService],
})
export class JournalModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(rememberArrival).forRoutes('*path');
  }
}
