import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { APPEND_ENTRY } from './append-entry.script.js';

/** Entries per account. Refuses a writer whose fence is lower than one that it has seen. */
@Injectable()
export class LedgerStore {
  constructor(private readonly redis: Redis) {}

  /** @returns false when the fence is stale; nothing was written then */
  async append(account: string, text: string, fence: number): Promise<boolean> {
    const stored = await this.redis.eval(
      APPEND_ENTRY,
      2,
      this.fenceKey(account),
      this.entriesKey(account),
      fence,
      text,
    );
    return stored === 1;
  }

  entries(account: string): Promise<string[]> {
    return this.redis.lrange(this.entriesKey(account), 0, -1);
  }

  private fenceKey(account: string): string {
    return `sample:ledger:${account}:fence`;
  }

  private entriesKey(account: string): string {
    return `sample:ledger:${account}:entries`;
  }
}
