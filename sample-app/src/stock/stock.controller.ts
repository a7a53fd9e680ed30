import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MillisPipe } from '../common/millis.pipe.js';
import { pause } from '../common/pause.js';
import { TakesDto } from '../common/takes.dto.js';
import { JournalService } from '../journal/journal.service.js';
import { WithLock } from '../locking.js';

@ApiTags('stock')
@Controller('stock')
export class StockController {
  constructor(private readonly journal: JournalService) {}

  /** A lock decorator may stand on a handler, above or below the route, beside guards, pipes and the rest. */
  @WithLock('stock:<0>')
  @Post(':sku/counts')
  @ApiOperation({
    summary: "Count the stock: @WithLock('stock:<0>') on the handler itself",
  })
  @ApiBody({ type: TakesDto, required: false })
  count(@Param('sku') sku: string, @Body('takes', new MillisPipe(20)) takes: number) {
    return this.journal.section(`stock:${sku}`, async () => {
      await pause(takes);
      return { sku, countedBy: process.pid };
    });
  }
}
