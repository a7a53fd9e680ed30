import { BadRequestException, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Transfer {
  amount: number;
}

export interface Receipt {
  id: number;
  amount: number;
}

/** What must happen once for each key. Counts over all applications of a test. */
@Injectable()
export class Transfers {
  static executed = 0;

  async execute({ amount }: Transfer): Promise<Receipt> {
    await sleep(20);
    if (!(amount > 0)) throw new BadRequestException('The amount must be positive.');
    return { id: ++Transfers.executed, amount };
  }
}
