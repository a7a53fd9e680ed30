import { ConflictException, Injectable } from '@nestjs/common';
import { type Lease, lockKey, LockService } from 'nestjs-redis-lock';
import { pause } from '../common/pause.js';
import { JournalService } from '../journal/journal.service.js';
import { LedgerStore } from './ledger.store.js';
import type { PostEntry } from './post-entry.interface.js';

@Injectable()
export class LedgerService {
  constructor(
    private readonly locks: LockService,
    private readonly store: LedgerStore,
    private readonly journal: JournalService,
  ) {}

  /** The lease is short, so that an account is free again soon after its process died. It is renewed while work goes on. */
  post(account: string, entry: PostEntry): Promise<{ account: string; fence: number }> {
    return this.locks.withLock(lockKey`ledger:${account}`, { ttl: '1500ms', wait: '10s' }, (lease) =>
      this.journal.section(`ledger:${account}`, () => this.write(account, entry, lease)),
    );
  }

  entries(account: string): Promise<string[]> {
    return this.store.entries(account);
  }

  private async write(account: string, { text, takes, careless }: PostEntry, lease: Lease) {
    // Work that gets the signal stops at once when the lease is lost.
    await pause(takes, careless ? undefined : lease.signal);
    const { fence, held } = lease;
    // A process can be frozen between the line above and this one: only the store itself can refuse what comes too late.
    const stored = await this.store.append(account, text, fence);
    this.journal.note(`ledger:${account}`, stored ? 'stored' : 'refused', {
      fence,
      held,
      text,
    });
    if (!stored) throw new ConflictException('somebody else has written since');
    return { account, fence };
  }
}
