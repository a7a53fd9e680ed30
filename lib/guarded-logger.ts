import type { LoggerService } from '@nestjs/common';

/**
 * A logger that fails must not take anybody with it: we log from timers and from events of connections, where an error would
 * end the process.
 */
export function guardedLogger(logger: LoggerService): LoggerService {
  const guard =
    (method: 'log' | 'error' | 'warn') =>
    (message: unknown): void => {
      // It may also fail later. There is nowhere left to tell it.
      void (async () => logger[method](message) as unknown)().catch(() => undefined);
    };
  return { log: guard('log'), error: guard('error'), warn: guard('warn') };
}
