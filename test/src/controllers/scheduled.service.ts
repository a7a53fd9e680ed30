import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { currentLease, WithLock } from 'nestjs-redis-lock';

const NEVER = '0 0 0 1 1 *';

@Injectable()
export class ScheduledService {
  readonly ran: (string | undefined)[] = [];

  @Cron(NEVER, { name: 'lock-below' })
  @WithLock('below')
  async below(): Promise<void> {
    this.ran.push(currentLease()?.key);
  }

  @WithLock('above')
  @Cron(NEVER, { name: 'lock-above' })
  async above(): Promise<void> {
    this.ran.push(currentLease()?.key);
  }
}
