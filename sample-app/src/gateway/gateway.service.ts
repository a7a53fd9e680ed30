import { Injectable } from '@nestjs/common';
import { pause } from '../common/pause.js';
import { JournalService } from '../journal/journal.service.js';
import { Semaphore } from '../locking.js';

/** A payment provider that allows three requests of ours at a time, counted over all our processes. */
@Injectable()
export class GatewayService {
  constructor(private readonly journal: JournalService) {}

  @Semaphore(3, 'gateway:<0>')
  charge(gateway: string, amount: number, takes: number): Promise<{ gateway: string; charged: number }> {
    return this.journal.section(`gateway:${gateway}`, async () => {
      await pause(takes);
      return { gateway, charged: amount };
    });
  }
}
