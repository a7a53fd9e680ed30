import { ConflictException, Injectable } from '@nestjs/common';
import { lockKey, LockService } from 'nestjs-redis-lock';
import { Balances } from './balances.js';
import { Checks } from './checks.js';

@Injectable()
export class DepositService {
  constructor(
    private readonly locks: LockService,
    private readonly balances: Balances,
    private readonly checks: Checks,
  ) {}

  async deposit(id: string, amount: number): Promise<void> {
    await this.locks.withLock(lockKey`account:${id}`, async ({ fence }) => {
      const balance = this.balances.read(id);
      await this.checks.pass(id, amount);
      if (!this.balances.write(id, balance + amount, fence)) {
        throw new ConflictException('Somebody else has changed the account meanwhile.');
      }
    });
  }
}
