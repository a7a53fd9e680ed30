import { Injectable } from '@nestjs/common';
import { once } from 'node:events';

/** What only a leader does; tells the parent process of it. */
@Injectable()
export class Duties {
  async perform(signal: AbortSignal, fence: number): Promise<void> {
    process.send?.({ event: 'leads', fence, at: now() });
    if (!signal.aborted) await once(signal, 'abort');
    process.send?.({ event: 'stepped down', fence, at: now() });
  }

  failed(error: unknown): void {
    process.send?.({ event: 'failed', error: String(error) });
  }
}

/** The same clock for all processes of the machine, ms. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;
