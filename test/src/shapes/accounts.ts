import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { lockKey, LockService, WithLock } from 'nestjs-redis-lock';
import { Overlap } from '../controllers/overlap.js';

const CREATE = 'create-account';
const NEVER = '0 0 0 1 1 *';

/** Two services that share one constant key. */
@Injectable()
export class SignUpService {
  constructor(private readonly overlap: Overlap) {}

  @WithLock(CREATE)
  async create(name: string): Promise<string> {
    return this.overlap.work(name);
  }
}

@Injectable()
export class ImportService {
  constructor(private readonly overlap: Overlap) {}

  @WithLock(CREATE)
  async create(name: string): Promise<string> {
    return this.overlap.work(name);
  }
}

/** Whose key is a path. */
@Injectable()
export class NoteService {
  @WithLock('note:<0>')
  async save(_path: string, write: () => Promise<string[]>): Promise<string[]> {
    return write();
  }
}

@Injectable()
export class NightlyService {
  readonly log: string[] = [];

  constructor(private readonly locks: LockService) {}

  /** `ttl` was meant as seconds. */
  @Cron(NEVER, { name: 'nightly' })
  @WithLock('nightly', { onBusy: 'skip', ttl: 600 })
  async run(): Promise<string | undefined> {
    return this.transaction(async () => {
      this.log.push('work');
      return this.locks.withLock(lockKey`nightly`, () => 'done');
    });
  }

  private async transaction<T>(work: () => Promise<T>): Promise<T> {
    this.log.push('begin');
    const result = await work();
    this.log.push('commit');
    return result;
  }
}
