import type { CallHandler } from '@nestjs/common';
import { Subject, type Observable, type Subscription } from 'rxjs';
import { forgotten } from './forgotten.js';
import { frameStorage } from './frame-storage.js';
import type { Frame } from './frame.js';

type Source = AsyncGenerator<unknown, unknown, unknown>;
type Step = IteratorResult<unknown, unknown>;

/** Puts a source under a lock, such as `LockInterceptor.intercept` with the context given. */
export type TakeLock = (handler: CallHandler) => Observable<unknown>;

/**
 * Runs an async generator under a lock: taken at the first `next()`, held to its end, its error or `return()`.
 *
 * @param create makes the source; called inside the lock
 */
export function lockGenerator(takeLock: TakeLock, create: () => Source): Source {
  const iteration = new LockedIteration();
  const generator = iterate(iteration, takeLock, create);
  forgotten.register(generator, iteration);
  return generator;
}

async function* iterate(iteration: LockedIteration, takeLock: TakeLock, create: () => Source): Source {
  if (await iteration.open(takeLock, create)) return yield* iteration;
  return undefined;
}

/** Steps through a source inside the lock. A lock is held for a subscription, so one lives as long as the source. */
class LockedIteration implements CallHandler, AsyncIterator<unknown, unknown, unknown> {
  private readonly life = new Subject<unknown>();
  private subscription: Subscription | undefined;
  private create: () => Source;
  private source: Source;
  private frame: Frame | undefined;
  private failure: { readonly error: unknown } | undefined;
  private entered: (value: boolean | PromiseLike<boolean>) => void;
  private closed: (() => void) | undefined;

  /** @returns false when the call is skipped */
  open(takeLock: TakeLock, create: () => Source): Promise<boolean> {
    this.create = create;
    return new Promise((resolve, reject) => {
      this.entered = resolve;
      this.subscription = takeLock(this).subscribe({
        error: (error) => {
          this.failure = { error };
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- passed on as it is
          reject(error);
          this.closed?.();
        },
        complete: () => {
          resolve(false);
          this.closed?.();
        },
      });
    });
  }

  handle(): Observable<unknown> {
    this.frame = frameStorage.getStore();
    this.source = this.create();
    this.entered(true);
    return this.life;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(value?: unknown): Promise<Step> {
    return this.step(() => this.source.next(value));
  }

  return(value?: unknown): Promise<Step> {
    return this.step(() => this.source.return(value));
  }

  throw(error: unknown): Promise<Step> {
    return this.step(() => this.source.throw(error));
  }

  forget(): void {
    this.subscription?.unsubscribe();
  }

  private async step(take: () => Promise<Step>): Promise<Step> {
    if (this.failure) return this.abort();
    let step: Step;
    try {
      step = await this.inside(take);
    } catch (error) {
      await this.close(() => this.life.error(error));
      throw error;
    }
    if (step.done) return this.finish(step);
    return this.lost ? this.abort() : step;
  }

  private get lost(): boolean {
    return this.failure !== undefined;
  }

  private async finish(step: Step): Promise<Step> {
    await this.close(() => {
      this.life.next(step.value);
      this.life.complete();
    });
    if (this.failure) throw this.failure.error;
    return step;
  }

  /** After a loss: lets the source clean up. An error of its own goes first. */
  private async abort(): Promise<never> {
    await this.inside(() => this.source.return(undefined));
    throw this.failure?.error;
  }

  private inside(take: () => Promise<Step>): Promise<Step> {
    return this.frame === undefined ? take() : frameStorage.run(this.frame, take);
  }

  private async close(end: () => void): Promise<void> {
    if (this.failure) return;
    await new Promise<void>((resolve) => {
      this.closed = resolve;
      end();
    });
  }
}
