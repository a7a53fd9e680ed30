import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Payment {
  accountId: string;
  amount: number;
}

/** Accounts whose payments must not overlap: the balance is read first and written later. */
@Injectable()
export class Accounts {
  readonly balances = new Map<string, number>();
  /** The largest number of accounts that were paid for at the same moment. */
  most = 0;
  private paying = 0;

  async pay({ accountId, amount }: Payment): Promise<void> {
    this.most = Math.max(this.most, ++this.paying);
    const balance = this.balances.get(accountId) ?? 0;
    await sleep(5);
    this.balances.set(accountId, balance + amount);
    this.paying -= 1;
  }
}
