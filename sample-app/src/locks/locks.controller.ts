import { Controller, DefaultValuePipe, Get, Param, ParseEnumPipe, Query } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { type LockKind, LockService } from 'nestjs-redis-lock';

const kinds = { lock: 'lock', semaphore: 'semaphore' } as const;

@ApiTags('locks')
@Controller('locks')
export class LocksController {
  constructor(private readonly locks: LockService) {}

  @Get(':key')
  @ApiOperation({
    summary: 'Who holds a key, for how long, and who waits for it',
  })
  @ApiQuery({ name: 'kind', enum: kinds, required: false })
  show(
    @Param('key') key: string,
    @Query('kind', new DefaultValuePipe('lock'), new ParseEnumPipe(kinds))
    kind: LockKind,
  ) {
    return this.locks.inspect(key, { kind });
  }
}
