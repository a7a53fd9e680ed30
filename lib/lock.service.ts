import type {
  BeforeApplicationShutdown,
  LoggerService,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import { forgotten } from './context/forgotten.js';
import { isBusy } from './context/is-busy.js';
import { refuseLazyResult } from './context/lazy-result.js';
import { LeaseHandle } from './context/lease-handle.js';
import type { EntryRequest } from './context/entry-request.js';
import { LockGate } from './context/lock-gate.js';
import { runSection } from './context/run-section.js';
import type { LockEngine } from './engine/lock-engine.interface.js';
import { LockOptionsError } from './errors/index.js';
import type {
  AcquireOptions,
  KindOptions,
  Lease,
  LockInspection,
  LockKind,
  LockOptions,
  SemaphoreOptions,
} from './interfaces/index.js';
import { checkName, checkNames } from './keys/check-name.js';
import { checkFair } from './options/check-fair.js';
import { checkKind } from './options/check-kind.js';
import { checkLimit } from './options/check-limit.js';
import { checkOptions } from './options/check-options.js';
import { mergeSettings } from './options/merge-settings.js';
import { ACQUIRE_OPTIONS, SECTION_OPTIONS } from './options/option-names.js';
import type { Settings } from './options/settings.interface.js';
import { LOCK_GATE } from './redis-lock.constants.js';
import { NO_TASK } from './redis-lock.messages.js';

const TRY_OPTIONS: ReadonlySet<string> = new Set([...ACQUIRE_OPTIONS].filter((option) => option !== 'wait'));

/**
 * The work of a locked section.
 *
 * @publicApi
 */
export type LockTask<T> = (lease: Lease) => T | PromiseLike<T>;

/**
 * Name of a lock, or names of locks that are held together.
 *
 * @publicApi
 */
export type LockKeys = string | readonly string[];

/**
 * Locks and semaphores by name, for code that needs more than a decorator.
 *
 * Build names with the tag `lockKey`, so that a value with a colon in it cannot name another lock.
 *
 * @publicApi
 */
export class LockService implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  /** @internal */
  readonly [LOCK_GATE]: LockGate;
  private readonly defaults: Settings;

  /** @internal Made by `RedisLockModule`. */
  constructor(engine: LockEngine, defaults: Settings, logger: LoggerService) {
    this[LOCK_GATE] = new LockGate(engine, defaults, logger);
    // A call has nothing to give when it is skipped.
    this.defaults = { ...defaults, onBusy: 'throw' };
  }

  /**
   * Runs `task` under a lock and gives the lock back when it has ended. The result or the error of the task passes
   * unchanged. Of several keys all are held or none: they are taken one after the other, in an order that is the same for
   * everybody, within one `wait`.
   *
   * @example
   * ```ts
   * await this.locks.withLock(lockKey`order:${id}`, { wait: '2s' }, async (lease) => {
   *   await this.bank.post(id, { fence: lease.fence, signal: lease.signal });
   * });
   * ```
   * @throws LockBusyError, LockUnavailableError, LockClosedError before the task; LockLostError after it
   */
  withLock<T>(keys: LockKeys, task: LockTask<T>): Promise<T>;
  withLock<T>(keys: LockKeys, options: LockOptions | undefined, task: LockTask<T>): Promise<T>;
  withLock<T>(keys: LockKeys, options: LockTask<T> | LockOptions | undefined, task?: LockTask<T>): Promise<T> {
    return this.run('lock', keys, 1, options, task, 'withLock');
  }

  /**
   * Takes a lock and leaves it to the caller to give it back. A handle that is dropped without a release is not renewed any
   * more, so that its lock lapses. Inside a section that holds the key this gives a place within that section, which counts
   * like a nested call: another one waits until it is released.
   *
   * @example
   * ```ts
   * await using lease = await this.locks.acquire(lockKey`order:${id}`);
   * ```
   */
  async acquire(keys: LockKeys, options?: AcquireOptions): Promise<Lease> {
    return this.handle(this.entry('lock', keys, 1, options, 'acquire', ACQUIRE_OPTIONS));
  }

  /**
   * Takes a lock if it is free; of several keys, if all are.
   *
   * @returns null when it is busy
   */
  async tryAcquire(keys: LockKeys, options?: Omit<AcquireOptions, 'wait'>): Promise<Lease | null> {
    const { settings, ...entry } = this.entry('lock', keys, 1, options, 'tryAcquire', TRY_OPTIONS);
    try {
      return await this.handle({ ...entry, settings: { ...settings, wait: 0 } });
    } catch (error) {
      if (isBusy(error)) return null;
      throw error;
    }
  }

  /**
   * Runs `task` while at most `limit` of its kind run under this key, in all processes.
   *
   * @param limit how many may run at once in the eyes of this caller; it is not stored
   * @throws as `withLock`
   */
  withSemaphore<T>(key: string, limit: number, task: LockTask<T>): Promise<T>;
  withSemaphore<T>(key: string, limit: number, options: SemaphoreOptions | undefined, task: LockTask<T>): Promise<T>;
  withSemaphore<T>(
    key: string,
    limit: number,
    options: LockTask<T> | SemaphoreOptions | undefined,
    task?: LockTask<T>,
  ): Promise<T> {
    return this.run('semaphore', key, limit, options, task, 'withSemaphore');
  }

  /** Takes a permit and leaves it to the caller to give it back; see `acquire`. */
  async acquireSemaphore(key: string, limit: number, options?: Omit<AcquireOptions, 'fair'>): Promise<Lease> {
    return this.handle(this.entry('semaphore', key, limit, options, 'acquireSemaphore', ACQUIRE_OPTIONS));
  }

  /** Who holds a key and who waits for it. */
  async inspect(key: string, options?: KindOptions): Promise<LockInspection> {
    const kind = checkKind(options, 'inspect');
    return this[LOCK_GATE].engine.inspect(kind, checkName(key, 'inspect'));
  }

  /**
   * Ends every holding of a key and hands it on to the next waiter. The holders learn of it by message; until then two may
   * run, and only their fences tell them apart.
   *
   * @returns false when nobody held it
   */
  async forceRelease(key: string, options?: KindOptions): Promise<boolean> {
    const kind = checkKind(options, 'forceRelease');
    return this[LOCK_GATE].engine.forceRelease(kind, checkName(key, 'forceRelease'));
  }

  /** @internal After all modules: one that fails to start leaves no connection behind that nobody can close. */
  onApplicationBootstrap(): void {
    this[LOCK_GATE].engine.open();
  }

  /** @internal */
  beforeApplicationShutdown(): void {
    this[LOCK_GATE].engine.refuseWaits();
  }

  /** @internal */
  onApplicationShutdown(): Promise<void> {
    return this[LOCK_GATE].engine.close();
  }

  /** @param first the task, where no options are given */
  private run<T>(
    kind: LockKind,
    keys: LockKeys,
    limit: number,
    first: LockTask<T> | LockOptions | undefined,
    second: LockTask<T> | undefined,
    method: string,
  ): Promise<T> {
    try {
      const options = typeof first === 'function' ? undefined : first;
      const task = typeof first === 'function' ? first : second;
      if (typeof task !== 'function') throw new LockOptionsError(NO_TASK(method));
      const entry = this.entry(kind, keys, limit, options, method, SECTION_OPTIONS, task.name || method);
      // It is not skipped.
      return runSection(this[LOCK_GATE], entry, task, refuseLazyResult) as Promise<T>;
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it was thrown
      return Promise.reject(error);
    }
  }

  private entry(
    kind: LockKind,
    keys: LockKeys,
    limit: number,
    options: LockOptions | undefined,
    method: string,
    allowed: ReadonlySet<string>,
    label = method,
  ): EntryRequest {
    const { defaults } = this;
    const names = kind === 'lock' ? checkNames(keys, method) : [checkName(keys, method)];
    const permits = kind === 'lock' ? 1 : checkLimit(limit, method);
    if (options === undefined) return { kind, names, label, limit: permits, settings: defaults };
    const own = checkOptions(options, method, allowed);
    if (kind === 'semaphore') checkFair(own, method);
    return { kind, names, label, limit: permits, settings: mergeSettings(defaults, own, method) };
  }

  /** Not kept by its frame, so that it is seen when the caller drops it. */
  private async handle(entry: EntryRequest): Promise<Lease> {
    const frame = await this[LOCK_GATE].enter(entry);
    const handle = new LeaseHandle(frame);
    forgotten.register(handle, frame);
    return handle;
  }
}
