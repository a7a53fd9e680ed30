import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Calls } from '../calls.js';
import { CROWD, type Variant } from '../variants.js';

export interface OrderJob {
  id: string;
  amount: number;
}

export const QUEUE = 'orders';

/** Would take as many jobs at once as there are in the tests. */
export function orderProcessor({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @Processor(QUEUE, { concurrency: CROWD, drainDelay: 1 })
  class OrderProcessor extends WorkerHost {
    constructor(private readonly calls: Calls) {
      super();
    }

    @above
    @below
    async process(job: Job<OrderJob, string>, token?: string): Promise<string> {
      return this.calls.run(`${job.data.id} paid ${job.data.amount}`, job.name, job.data, typeof token);
    }

    @above
    @OnWorkerEvent('completed')
    @below
    async completed(job: Job<OrderJob, string>, result: string): Promise<void> {
      await this.calls.run(undefined, 'completed', job.data, result);
    }
  }
  return OrderProcessor;
}
