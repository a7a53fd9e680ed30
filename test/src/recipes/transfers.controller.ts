import { Body, Controller, Post } from '@nestjs/common';
import { WithLock } from 'nestjs-redis-lock';
import { Answers } from './answers.js';
import { IdempotencyKey } from './idempotency-key.decorator.js';
import { Transfers, type Receipt, type Transfer } from './transfers.js';

@Controller('transfers')
export class TransfersController {
  constructor(
    private readonly answers: Answers,
    private readonly transfers: Transfers,
  ) {}

  @Post()
  @WithLock('transfer:<0>', { wait: '10s' })
  async create(@IdempotencyKey() key: string, @Body() transfer: Transfer): Promise<Receipt> {
    const known = await this.answers.find<Receipt>(key);
    if (known) return known;
    const receipt = await this.transfers.execute(transfer);
    await this.answers.keep(key, receipt);
    return receipt;
  }
}
