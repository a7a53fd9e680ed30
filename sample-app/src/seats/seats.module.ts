import { Module } from '@nestjs/common';
import { SeatService } from './seat.service.js';
import { SeatStore } from './seat.store.js';
import { SeatsController } from './seats.controller.js';

@Module({
  controllers: [SeatsController],
  providers: [SeatService, SeatStore],
})
export class SeatsModule {}
