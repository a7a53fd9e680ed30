import type { Lease } from '../interfaces/lease.interface.js';
import type { EntryRequest } from './entry-request.js';
import { frameStorage } from './frame-storage.js';
import type { Frame } from './frame.js';
import { isBusy } from './is-busy.js';
import { judgeLoss, leaveSection } from './leave-section.js';
import type { Entrant, LockGate } from './lock-gate.js';

/** What runs inside a lock and has one result. */
export type Work<T> = (lease: Lease) => T | PromiseLike<T>;

type Check<T> = (result: T, label: string) => void;

/**
 * Runs `work` inside a lock, and gives the lock back when it has ended, however it ended.
 *
 * @param check looks at the result when the lock has been given back, and throws where it is none; gets the label, too
 * @returns undefined for a call that is skipped, too
 */
export function runSection<T>(
  gate: LockGate,
  entry: EntryRequest,
  work: Work<T>,
  check?: Check<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => gate.admit(entry, new Section(entry, work, check, resolve, reject)));
}

/** One call, from its entry to its end. Not an asynchronous function, since each promise costs every call. */
class Section<T> implements Entrant {
  constructor(
    private readonly entry: EntryRequest,
    private readonly work: Work<T>,
    private readonly check: Check<T> | undefined,
    private readonly resolve: (result: T | undefined) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  entered(frame: Frame): void {
    const { work } = this;
    let result: T | Promise<T>;
    try {
      result = frameStorage.run(frame, () => begun(work(frame.lease)));
    } catch (error) {
      return this.failed(frame, error);
    }
    if (!(result instanceof Promise)) return this.succeeded(frame, result);
    // As `await` does it, whatever `then` somebody has given to this one promise.
    void Promise.prototype.then.call(
      result,
      (value) => this.succeeded(frame, value as T),
      (error: unknown) => this.failed(frame, error),
    );
  }

  refused(error: unknown): void {
    if (this.entry.settings.onBusy === 'skip' && isBusy(error)) this.resolve(undefined);
    else this.reject(error);
  }

  private succeeded(frame: Frame, result: T): void {
    leaveSection(frame, (lost) => {
      try {
        const error = lost && judgeLoss(frame, lost, this.entry.settings.onLost, result);
        if (error !== undefined) return this.reject(error);
        this.check?.(result, this.entry.label);
        this.resolve(result);
      } catch (error) {
        this.reject(error);
      }
    });
  }

  private failed(frame: Frame, error: unknown): void {
    leaveSection(frame, () => this.reject(error));
  }
}

/** Called inside the lock: a lazy thenable, such as a query, begins its work when it is asked for the result. */
function begun<T>(result: T | PromiseLike<T>): T | Promise<T> {
  return result instanceof Promise || isThenable(result) ? Promise.resolve(result) : result;
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
