import { Controller, Get, Param, Res } from '@nestjs/common';
import { lockKey, LockService } from 'nestjs-redis-lock';
import type { Response } from 'express';
import { clientGone } from './client-gone.js';
import { Exports } from './exports.js';

@Controller('exports')
export class ExportsController {
  constructor(
    private readonly locks: LockService,
    private readonly exports: Exports,
  ) {}

  @Get(':tenant')
  async export(@Param('tenant') tenant: string, @Res({ passthrough: true }) response: Response): Promise<string> {
    const gone = clientGone(response);
    return this.locks.withLock(lockKey`export:${tenant}`, { wait: '1m', signal: gone }, (lease) =>
      this.exports.make(tenant, AbortSignal.any([gone, lease.signal])),
    );
  }
}
