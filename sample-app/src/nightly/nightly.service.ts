import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { pause } from '../common/pause.js';
import { JournalService } from '../journal/journal.service.js';
import { WithLock } from '../locking.js';
import { settings } from '../settings.js';

/** A job that every process schedules and one of them does. */
@Injectable()
export class NightlyService {
  private readonly logger = new Logger(NightlyService.name);

  constructor(private readonly journal: JournalService) {}

  /** Tells that the time has come in this process too; not part of the job. */
  @Cron(settings.nightlyCron)
  tick(): void {
    this.journal.note('nightly-report', 'tick', { time: Date.now() });
  }

  /**
   * `skip` leaves the job to whoever got the lock. `minHold` keeps it closed for a second even though the job is done
   * earlier, for a process whose clock is a little late.
   */
  @Cron(settings.nightlyCron)
  @WithLock('nightly-report', { onBusy: 'skip', minHold: '1s' })
  async report(): Promise<void> {
    const time = Date.now();
    await this.journal.section('nightly-report', async () => {
      this.journal.note('nightly-report', 'run', { time });
      await pause(20);
    });
    this.logger.log(`nightly report written by process ${process.pid}`);
  }
}
