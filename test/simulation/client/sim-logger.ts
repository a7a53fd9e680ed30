import type { LoggerService } from '@nestjs/common';
import type { LogLine } from '../history/history.js';

/** Writes down what one process has to say. */
export function simLogger(client: string, now: () => number, lines: LogLine[]): LoggerService {
  const at = (level: string) => (text: unknown) => void lines.push({ at: now(), client, level, text: String(text) });
  return { log: at('log'), warn: at('warn'), error: at('error'), debug: at('debug'), verbose: at('verbose') };
}
