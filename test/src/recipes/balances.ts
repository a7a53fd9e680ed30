import { Inject, Injectable } from '@nestjs/common';
import type { Database } from 'sql.js';

export const DATABASE = 'DATABASE';

@Injectable()
export class Balances {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  read(id: string): number {
    return Number(this.db.exec('SELECT balance FROM account WHERE id = ?', [id])[0]?.values[0]?.[0]);
  }

  /** @returns false when somebody who had the lock later has written already */
  write(id: string, balance: number, fence: number): boolean {
    const update = 'UPDATE account SET balance = $1, fence = $2 WHERE id = $3 AND fence < $2';
    this.db.run(update, { $1: balance, $2: fence, $3: id });
    return this.db.getRowsModified() === 1;
  }
}
