import type { LoggerService } from '@nestjs/common';

const ignore = (): void => undefined;

/** For `logger: false`. */
export const SILENCE: LoggerService = {
  log: ignore,
  error: ignore,
  warn: ignore,
  debug: ignore,
  verbose: ignore,
  fatal: ignore,
};
