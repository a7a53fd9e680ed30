import { Body, Controller, Param, ParseFloatPipe, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MillisPipe } from '../common/millis.pipe.js';
import { ChargeDto } from './charge.dto.js';
import { GatewayService } from './gateway.service.js';

@ApiTags('gateway')
@Controller('gateways')
export class GatewayController {
  constructor(private readonly gateways: GatewayService) {}

  @Post(':gateway/charges')
  @ApiOperation({
    summary: "At most three charges at a time: @Semaphore(3, 'gateway:<0>')",
  })
  @ApiBody({ type: ChargeDto })
  charge(
    @Param('gateway') gateway: string,
    @Body('amount', ParseFloatPipe) amount: number,
    @Body('takes', new MillisPipe(100)) takes: number,
  ) {
    return this.gateways.charge(gateway, amount, takes);
  }
}
