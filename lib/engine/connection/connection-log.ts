import type { LoggerService } from '@nestjs/common';
import { publishEvent } from '../diagnostics.js';

/** Says once per outage that a connection is gone, and once that it is back. */
export class ConnectionLog {
  private out = false;

  constructor(
    private readonly logger: LoggerService,
    private readonly name: string,
  ) {}

  lost(error: Error | undefined): void {
    if (this.out) return;
    this.out = true;
    const reason = error?.message.replace(/\.$/, '') || 'the connection was closed';
    publishEvent(() => ({ event: 'outage', connection: this.name, error: reason }));
    this.logger.warn(`Redis is not reachable (${this.name}): ${reason}. Reconnecting.`);
  }

  back(): void {
    if (!this.out) return;
    this.out = false;
    this.logger.log(`Redis is reachable again (${this.name}).`);
  }
}
