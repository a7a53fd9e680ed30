import { Injectable } from '@nestjs/common';
import { WithLock } from 'nestjs-redis-lock';
import { counters, Transactional } from './transactions.js';

@Injectable()
export class CounterService {
  @WithLock('counter:<0>')
  @Transactional()
  async increment(id: string): Promise<void> {
    counters.write(id, counters.read(id) + 1);
  }

  /** The wrong way round: the next one reads before this one's commit. */
  @Transactional()
  @WithLock('counter:<0>')
  async incrementTooEarly(id: string): Promise<void> {
    counters.write(id, counters.read(id) + 1);
  }
}
