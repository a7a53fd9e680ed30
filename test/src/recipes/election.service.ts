import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LockService } from 'nestjs-redis-lock';
import { setTimeout as sleep } from 'node:timers/promises';
import { Duties } from './duties.js';

@Injectable()
export class ElectionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly leaving = new AbortController();
  private campaign: Promise<void> | undefined;

  constructor(
    private readonly locks: LockService,
    private readonly duties: Duties,
  ) {}

  onApplicationBootstrap(): void {
    this.campaign = this.stand();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.leaving.abort();
    await this.campaign;
  }

  /** Stands for election again and again: as leader it stays until it loses the lock, as one of the others it waits. */
  private async stand(): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      try {
        const lease = await this.locks.acquire('leader', { ttl: '5s', wait: Infinity, signal });
        try {
          // Must return soon after its signal has aborted: from then on somebody else may lead.
          await this.duties.perform(AbortSignal.any([lease.signal, signal]), lease.fence);
        } finally {
          await lease.release();
        }
      } catch (error) {
        if (!signal.aborted) this.duties.failed(error);
        await sleep(1_000, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
