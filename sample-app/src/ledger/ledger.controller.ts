import { Body, Controller, DefaultValuePipe, Get, Param, ParseBoolPipe, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MillisPipe } from '../common/millis.pipe.js';
import { LedgerService } from './ledger.service.js';
import { PostEntryDto } from './post-entry.dto.js';

@ApiTags('ledger')
@Controller('ledger/:account/entries')
export class LedgerController {
  constructor(private readonly ledger: LedgerService) {}

  @Post()
  @ApiOperation({
    summary: 'Post an entry: LockService.withLock, written with lease.fence',
  })
  @ApiBody({ type: PostEntryDto })
  post(
    @Param('account') account: string,
    @Body('text', new DefaultValuePipe('an entry')) text: string,
    @Body('takes', new MillisPipe(20)) takes: number,
    @Body('careless', new DefaultValuePipe(false), ParseBoolPipe)
    careless: boolean,
  ) {
    return this.ledger.post(account, { text, takes, careless });
  }

  @Get()
  @ApiOperation({ summary: 'Entries of an account' })
  entries(@Param('account') account: string) {
    return this.ledger.entries(account);
  }
}
