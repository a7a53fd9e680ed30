import { afterEach, beforeEach } from '@jest/globals';
import { runInThisContext } from 'node:vm';

/** The one of the machine: Jest gives test files a copy that hears of nothing. */
const host = runInThisContext('process') as NodeJS.Process;

/** What must never come from a library. */
export interface ProcessEvents {
  /** Names of warnings, such as `TimeoutOverflowWarning`, and whatever nobody caught. */
  readonly seen: unknown[];
}

/** What nobody catches while `act` runs; the runner, which would take it for a failure of the test, does not hear of it. */
export async function uncaughtDuring(act: () => Promise<void>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const listeners = host.listeners('unhandledRejection');
  host.removeAllListeners('unhandledRejection');
  host.on('unhandledRejection', (error) => void seen.push(error));
  try {
    await act();
  } finally {
    host.removeAllListeners('unhandledRejection');
    for (const listener of listeners) host.on('unhandledRejection', listener);
  }
  return seen;
}

/** Listens to the process during each test. */
export function useProcessEvents(): ProcessEvents {
  const seen: unknown[] = [];
  const warned = ({ name }: Error): void => {
    if (name !== 'ExperimentalWarning') seen.push(name);
  };
  const uncaught = (error: unknown): void => void seen.push(error);
  beforeEach(() => {
    seen.length = 0;
    host.on('warning', warned);
    host.on('unhandledRejection', uncaught);
    host.on('uncaughtException', uncaught);
  });
  afterEach(() => {
    host.off('warning', warned);
    host.off('unhandledRejection', uncaught);
    host.off('uncaughtException', uncaught);
  });
  return { seen };
}
