import { Injectable } from '@nestjs/common';
import { lockKey, LockService } from 'nestjs-redis-lock';
import { Bank } from './bank.js';
import { retry } from './retry.js';

@Injectable()
export class InvoiceService {
  constructor(
    private readonly locks: LockService,
    private readonly bank: Bank,
  ) {}

  settle(invoiceId: string): Promise<string> {
    return retry(3, () =>
      this.locks.withLock(lockKey`invoice:${invoiceId}`, { wait: '2s' }, async ({ fence }) => {
        // An attempt before may have got through without our hearing of it.
        return (await this.bank.receipt(invoiceId)) ?? this.bank.pay(invoiceId, fence);
      }),
    );
  }
}
