import type { LoggerService } from '@nestjs/common';

/** A logger that keeps what it is told. */
export class RecordingLogger implements LoggerService {
  readonly lines: { level: string; text: string }[] = [];

  get warnings(): string[] {
    return this.lines.filter(({ level }) => level === 'warn').map(({ text }) => text);
  }

  readonly log = this.level('log');
  readonly warn = this.level('warn');
  readonly error = this.level('error');
  readonly debug = this.level('debug');
  readonly verbose = this.level('verbose');
  readonly fatal = this.level('fatal');

  private level(level: string): (text: unknown) => void {
    return (text) => void this.lines.push({ level, text: String(text) });
  }
}
