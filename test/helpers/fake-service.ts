import type { LoggerService } from '@nestjs/common';
import { LockService } from '../../lib/lock.service.js';
import { DEFAULT_SETTINGS } from '../../lib/options/defaults.js';
import type { Settings } from '../../lib/options/settings.interface.js';
import { FakeEngine } from './fake-engine.js';

/** Keeps what is written to it. */
export class MemoryLogger implements LoggerService {
  readonly warnings: string[] = [];
  log(): void {}
  error(): void {}
  warn(message: string): void {
    this.warnings.push(message);
  }
}

export interface FakeLocks {
  locks: LockService;
  engine: FakeEngine;
  logger: MemoryLogger;
}

/** A `LockService` over locks in memory. */
export function fakeLocks(defaults: Partial<Settings> = {}): FakeLocks {
  const engine = new FakeEngine();
  const logger = new MemoryLogger();
  return { engine, logger, locks: new LockService(engine, { ...DEFAULT_SETTINGS, ...defaults }, logger) };
}

/** A promise that the test settles. */
export function deferred<T = void>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** Lets everything that is ready run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
