import { Injectable } from '@nestjs/common';
import { pause } from '../common/pause.js';
import { JournalService } from '../journal/journal.service.js';
import { WithLock } from '../locking.js';
import { PaymentStore } from './payment.store.js';

@Injectable()
export class OrderService {
  constructor(
    private readonly payments: PaymentStore,
    private readonly journal: JournalService,
  ) {}

  /** One payment at a time per order, in however many processes; different orders do not wait for each other. */
  @WithLock('order:<0>')
  pay(orderId: string, amount: number, bankTakes: number): Promise<number> {
    return this.journal.section(`order:${orderId}`, async () => {
      const before = await this.payments.read(orderId);
      await pause(bankTakes);
      await this.payments.write(orderId, before + amount);
      return before + amount;
    });
  }

  paid(orderId: string): Promise<number> {
    return this.payments.read(orderId);
  }
}
