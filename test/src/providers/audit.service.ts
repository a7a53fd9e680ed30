import { Injectable } from '@nestjs/common';
import { currentLease, InjectLockService, LockService, WithLock } from 'nestjs-redis-lock';

/** Uses two connections. */
@Injectable()
export class AuditService {
  constructor(
    readonly locks: LockService,
    @InjectLockService() readonly same: LockService,
    @InjectLockService('audit') readonly audit: LockService,
  ) {}

  @WithLock('here')
  async here(): Promise<string | undefined> {
    return currentLease()?.key;
  }

  @WithLock('there', { connection: 'audit' })
  async there(): Promise<string | undefined> {
    return currentLease()?.key;
  }
}
