import { Injectable } from '@nestjs/common';
import { currentLease, WithLock } from 'nestjs-redis-lock';

/** Counts how many are inside at once. */
@Injectable()
export class CounterService {
  inside = 0;
  most = 0;

  /** @returns the fence of its lease */
  @WithLock('counter')
  async count(): Promise<number | undefined> {
    this.most = Math.max(this.most, ++this.inside);
    await new Promise((resolve) => setImmediate(resolve));
    this.inside -= 1;
    return currentLease()?.fence;
  }
}
