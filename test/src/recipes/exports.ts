import { Injectable } from '@nestjs/common';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

@Injectable()
export class Exports {
  /** Exports that were begun, and those that were stopped half way. */
  readonly begun: string[] = [];
  readonly stopped: string[] = [];

  async make(tenant: string, signal: AbortSignal): Promise<string> {
    this.begun.push(tenant);
    if (tenant !== 'slow') return sleep(20, `export of ${tenant}`);
    await once(signal, 'abort');
    this.stopped.push(tenant);
    throw signal.reason;
  }
}
