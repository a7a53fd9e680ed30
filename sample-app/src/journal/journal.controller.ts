import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { JournalEntry } from './journal-entry.interface.js';
import { JournalService } from './journal.service.js';

@ApiTags('journal')
@Controller('journal')
export class JournalController {
  constructor(private readonly journal: JournalService) {}

  @Get()
  @ApiOperation({
    summary: 'Who entered and left which section in this process, with time and fence',
  })
  latest(): readonly JournalEntry[] {
    return this.journal.latest();
  }
}
