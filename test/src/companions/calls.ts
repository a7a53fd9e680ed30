import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentLease } from 'nestjs-redis-lock';

/** For so many waits a call stays inside alone. */
const PATIENCE = 2000;

/** What a method was called with, and the lock it ran under. */
export interface Call {
  args: unknown[];
  under: string | undefined;
}

/** Keeps the calls of a fixture and counts how many ran at once. */
@Injectable()
export class Calls {
  readonly seen: Call[] = [];
  most = 0;
  inside = 0;
  /** A call stays inside until so many have been there at once, which shows that they can be. */
  together = 1;

  async run<T>(result: T, ...args: unknown[]): Promise<T> {
    this.seen.push({ args, under: currentLease()?.key });
    this.most = Math.max(this.most, ++this.inside);
    // Also when they have met: one more than that would be here by then.
    for (let waits = 0; waits === 0 || this.most < this.together; waits++) {
      if (waits > PATIENCE) throw new Error(`no more than ${this.most} were let in at once`);
      await sleep(5);
    }
    this.inside -= 1;
    return result;
  }
}
