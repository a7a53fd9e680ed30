import type { RedisKeys } from '../../keys/redis-keys.js';
import type { LockKind } from '../../interfaces/lock-kind.type.js';
import type { Alarm } from '../alarm.js';
import { isOwnToken } from '../token.js';
import type { AcquireAnswer } from './answer.js';
import type { Waiter } from './waiter.js';

/** Waiters whose places one poll can restore. */
const MOST_TOKENS = 100;
const FIRST_FOREIGN_POLL = 100;
const LONGEST_FOREIGN_POLL = 1000;
const FIRST_LONELY_POLL = 50;

export interface PollPace {
  /** ms */
  readonly pollInterval: number;
  /** ms */
  readonly handoffTtl: number;
  random(): number;
}

/** The waiters of this process in the queue of one lock, and when they look at it next: one poll serves them all. */
export class WaitingRoom {
  readonly waiters = new Set<Waiter>();
  polling = false;
  private foreignDelay = FIRST_FOREIGN_POLL;
  private lonelyDelay = FIRST_LONELY_POLL;

  constructor(
    readonly kind: LockKind,
    readonly keys: RedisKeys,
    readonly alarm: Alarm,
  ) {}

  /** The oldest waiters of whom no acquire is under way. */
  eldest(): Waiter[] {
    const idle = [...this.waiters].filter((waiter) => !waiter.inFlight);
    return idle.sort((a, b) => Number(a.ticket) - Number(b.ticket)).slice(0, MOST_TOKENS);
  }

  /**
   * How long to wait with the next look, ms. Usually until the present lease would end, and never longer than the poll
   * interval; sooner where nobody would tell us: the holder is no process of ours, or we cannot be pushed.
   */
  delay(answer: AcquireAnswer, pushable: boolean, pace: PollPace): number {
    let delay = answer.rest >= 0 ? Math.min(answer.rest, pace.pollInterval) : pace.pollInterval;
    if (answer.holder !== '' && !isOwnToken(answer.holder)) {
      delay = Math.min(delay, this.foreignDelay);
      this.foreignDelay = Math.min(this.foreignDelay * 1.5, LONGEST_FOREIGN_POLL);
    } else {
      this.foreignDelay = FIRST_FOREIGN_POLL;
    }
    if (!pushable) {
      delay = Math.min(delay, this.lonelyDelay);
      this.lonelyDelay = Math.min(this.lonelyDelay * 1.5, pace.handoffTtl / 3);
    } else {
      this.lonelyDelay = FIRST_LONELY_POLL;
    }
    return answer.more ? 0 : delay + 1 + pace.random() * Math.min(100, delay / 10);
  }
}
