import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { WithLock } from 'nestjs-redis-lock';
import { Work } from './work.js';
import { SHORT } from './working.controller.js';

@Injectable()
export class NightlyService {
  constructor(private readonly work: Work) {}

  @Cron('0 0 0 1 1 *', { name: 'nightly' })
  @WithLock('cron', SHORT)
  async run(): Promise<void> {
    await this.work.run('cron');
  }
}
