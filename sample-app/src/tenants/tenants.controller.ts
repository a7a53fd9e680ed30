import { Body, Controller, Param, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MillisPipe } from '../common/millis.pipe.js';
import { pause } from '../common/pause.js';
import { TakesDto } from '../common/takes.dto.js';
import { JournalService } from '../journal/journal.service.js';
import { LockInterceptor } from '../locking.js';

/** One lock per tenant around all handlers: `<0>` is the interceptor's first argument, the request. */
@ApiTags('tenants')
@UseInterceptors(LockInterceptor.with('tenant:<0.params.tenantId>'))
@Controller('tenants/:tenantId')
export class TenantsController {
  constructor(private readonly journal: JournalService) {}

  @Post('imports')
  @ApiOperation({
    summary: "Import data: LockInterceptor.with('tenant:<0.params.tenantId>') on the controller",
  })
  @ApiBody({ type: TakesDto, required: false })
  import(@Param('tenantId') tenantId: string, @Body('takes', new MillisPipe(20)) takes: number) {
    return this.work(tenantId, 'imported', takes);
  }

  @Put('settings')
  @ApiOperation({
    summary: 'Change settings, under the same lock as the imports',
  })
  @ApiBody({ type: TakesDto, required: false })
  configure(@Param('tenantId') tenantId: string, @Body('takes', new MillisPipe(20)) takes: number) {
    return this.work(tenantId, 'configured', takes);
  }

  private work(tenantId: string, done: string, takes: number) {
    return this.journal.section(`tenant:${tenantId}`, async () => {
      await pause(takes);
      return { tenantId, done, by: process.pid };
    });
  }
}
