import type { RedisKeys } from '../../keys/redis-keys.js';
import type { Answer } from '../connection/command-connection.js';
import type { LockCall } from '../connection/lock-calls.js';
import { acquireText } from './acquire-text.js';
import type { Waiter } from './waiter.js';

/** Who deals with what becomes of a submission. */
export interface SubmissionHost {
  answered(submission: Submission, answer: Answer): void;
  unanswered(waiter: Waiter, error: unknown): void;
}

/** One acquire for one waiter. */
export class Submission implements LockCall {
  readonly keys: RedisKeys;
  readonly text: string;

  /**
   * @param pushable what the server is told of our channel
   * @param queues whether the waiter wants a place in the queue
   * @param greeted whether the server shall say a word on the channel when the waiter gets one
   */
  constructor(
    private readonly host: SubmissionHost,
    readonly waiter: Waiter,
    readonly pushable: boolean,
    readonly queues: boolean,
    greeted: boolean,
  ) {
    this.keys = waiter.request.keys;
    this.text = acquireText({ pushable, queues, greeted }, [waiter]);
  }

  wanted(): boolean {
    return !this.waiter.done;
  }

  answered(answer: Answer): void {
    this.host.answered(this, answer);
  }

  failed(error: unknown): void {
    this.host.unanswered(this.waiter, error);
  }
}
