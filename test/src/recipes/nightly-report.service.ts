import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { WithLock } from 'nestjs-redis-lock';
import { Reports } from './reports.js';

@Injectable()
export class NightlyReportService {
  constructor(private readonly reports: Reports) {}

  @Cron('0 3 * * *', { name: 'nightly-report' })
  @WithLock('nightly-report', { onBusy: 'skip', minHold: '30s' })
  async send(): Promise<void> {
    await this.reports.send('nightly-report');
  }
}

/** Without `minHold`: a replica whose clock is behind finds the lock free again. */
@Injectable()
export class EagerReportService {
  constructor(private readonly reports: Reports) {}

  @Cron('0 3 * * *', { name: 'eager-report' })
  @WithLock('eager-report', { onBusy: 'skip' })
  async send(): Promise<void> {
    await this.reports.send('eager-report');
  }
}
