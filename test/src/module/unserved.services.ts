import { Injectable } from '@nestjs/common';
import { WithLock } from 'nestjs-redis-lock';

@Injectable()
export class FeatureOnly {
  @WithLock('feature')
  async run(): Promise<void> {}
}

@Injectable()
export class AuditOnly {
  @WithLock('audit', { connection: 'audit' })
  async run(): Promise<void> {}
}
