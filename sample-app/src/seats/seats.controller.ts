import { Body, Controller, DefaultValuePipe, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MillisPipe } from '../common/millis.pipe.js';
import { ReserveDto } from './reserve.dto.js';
import { SeatService } from './seat.service.js';

@ApiTags('seats')
@Controller('shows/:showId/seats')
export class SeatsController {
  constructor(private readonly seats: SeatService) {}

  @Post()
  @ApiOperation({
    summary: "Reserve the next free seat: @FairLock('seat:<0.showId>')",
  })
  @ApiBody({ type: ReserveDto })
  reserve(
    @Param('showId') showId: string,
    @Body('guest', new DefaultValuePipe('somebody')) guest: string,
    @Body('takes', new MillisPipe(20)) takes: number,
  ) {
    return this.seats.reserve({ showId, guest, takes });
  }

  @Get()
  @ApiOperation({ summary: 'Tickets sold so far, in the order of sale' })
  sold(@Param('showId') showId: string) {
    return this.seats.sold(showId);
  }
}
