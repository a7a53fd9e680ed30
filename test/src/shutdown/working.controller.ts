import { Controller, Get } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { LockService, WithLock } from 'nestjs-redis-lock';
import { Work } from './work.js';

/** A lease that a loaded machine can renew, and that no work of a test fits into. */
export const SHORT = { ttl: '1s' } as const;

/** Work under a lock, on every way into an application. */
@Controller()
export class WorkingController {
  constructor(
    private readonly locks: LockService,
    private readonly work: Work,
  ) {}

  @Get('handler')
  @WithLock('handler', SHORT)
  async handler(): Promise<string> {
    return this.work.run('handler');
  }

  @Get('section')
  async section(): Promise<string> {
    return this.locks.withLock('section', SHORT, () => this.work.run('section'));
  }

  @MessagePattern('settle')
  @WithLock('message', SHORT)
  async settle(): Promise<string> {
    return this.work.run('message');
  }
}
