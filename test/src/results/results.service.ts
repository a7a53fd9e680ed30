import { Injectable } from '@nestjs/common';
import { currentLease, LockService, WithLock } from 'nestjs-redis-lock';
import { concat, defer, NEVER, Observable, of, throwError } from 'rxjs';
import { LazyWork } from './thenable.js';

const KEY = 'result';

const key = (): string | undefined => currentLease()?.key;
const first = (): Observable<string | undefined> => defer(() => of(key()));

/** A locked method for each kind of result; each result is the lock that the work saw. */
@Injectable()
export class ResultsService {
  /** End the work of the thenables. */
  readonly gates: (() => void)[] = [];
  /** Generators that cleaned up. */
  cleaned = 0;

  constructor(private readonly locks: LockService) {}

  @WithLock(KEY)
  async nested(): Promise<string | undefined> {
    return key();
  }

  @WithLock(KEY)
  thenable(): PromiseLike<unknown> {
    return this.lazyWork();
  }

  @WithLock(KEY)
  async resolvesToThenable(): Promise<unknown> {
    return this.lazyWork();
  }

  inService(): Promise<unknown> {
    return this.locks.withLock(KEY, () => this.lazyWork());
  }

  @WithLock(KEY)
  refusingThenable(): PromiseLike<unknown> {
    return new LazyWork(() => Promise.reject(new Error('refused')));
  }

  @WithLock(KEY)
  short(): Observable<string | undefined> {
    return first();
  }

  @WithLock(KEY, { wait: 0 })
  endless(): Observable<string | undefined> {
    return concat(first(), NEVER);
  }

  @WithLock(KEY)
  failing(): Observable<string | undefined> {
    return concat(
      first(),
      throwError(() => new Error('failed')),
    );
  }

  @WithLock(KEY, { wait: 0 })
  async promisedObservable(): Promise<Observable<string | undefined>> {
    return concat(first(), NEVER);
  }

  @WithLock(KEY, { wait: 0 })
  async *generator(): AsyncGenerator<string | undefined> {
    try {
      for (;;) yield key();
    } finally {
      this.cleaned += 1;
    }
  }

  private lazyWork(): LazyWork<unknown> {
    return new LazyWork(async () => {
      const nested = await this.nested();
      await new Promise<void>((resolve) => this.gates.push(resolve));
      return [key(), nested];
    });
  }
}
