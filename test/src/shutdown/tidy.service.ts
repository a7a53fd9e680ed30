import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { currentLease, LockService, WithLock } from 'nestjs-redis-lock';

/** Clears up behind itself when the application ends, under locks. */
@Injectable()
export class TidyService implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  /** Keys of the locks that it had, in order. */
  readonly had: (string | undefined)[] = [];

  constructor(private readonly locks: LockService) {}

  @WithLock('tidy:<0>')
  private async tidy(_hook: string): Promise<void> {
    this.had.push(currentLease()?.key);
    await this.locks.withLock('tidy:more', (lease) => this.had.push(lease.key));
  }

  onModuleDestroy(): Promise<void> {
    return this.tidy('onModuleDestroy');
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.tidy('beforeApplicationShutdown');
  }

  onApplicationShutdown(): Promise<void> {
    return this.tidy('onApplicationShutdown');
  }
}
