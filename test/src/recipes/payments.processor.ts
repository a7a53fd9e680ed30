import { Processor, WorkerHost } from '@nestjs/bullmq';
import { WithLock } from 'nestjs-redis-lock';
import type { Job } from 'bullmq';
import { Accounts, type Payment } from './accounts.js';

@Processor('payments', { concurrency: 10 })
export class PaymentsProcessor extends WorkerHost {
  constructor(private readonly accounts: Accounts) {
    super();
  }

  @WithLock('account:<0.data.accountId>', { wait: '30s' })
  async process(job: Job<Payment>): Promise<void> {
    await this.accounts.pay(job.data);
  }
}
