import { Injectable, Module } from '@nestjs/common';
import { LockService, WithLock } from 'nestjs-redis-lock';

@Injectable()
export class FeatureService {
  constructor(readonly locks: LockService) {}

  @WithLock('feature')
  async run(): Promise<string> {
    return 'ran';
  }
}

/** Imports nothing: a global module serves it. */
@Module({ providers: [FeatureService], exports: [FeatureService] })
export class FeatureModule {}
