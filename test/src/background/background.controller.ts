import { Controller, Get, Injectable, UseInterceptors } from '@nestjs/common';
import { LockInterceptor, WithLock } from 'nestjs-redis-lock';

/** What a test does while a request holds its lock, just before its answer. */
@Injectable()
export class BeforeAnswer {
  run: () => unknown = () => undefined;
}

@Controller('background')
export class BackgroundController {
  constructor(private readonly before: BeforeAnswer) {}

  @Get('handler')
  @WithLock('handler', { releaseMode: 'background' })
  async handler(): Promise<string> {
    await this.before.run();
    return 'answered';
  }

  @Get('intercepted')
  @UseInterceptors(LockInterceptor.with('intercepted', { releaseMode: 'background' }))
  async intercepted(): Promise<string> {
    await this.before.run();
    return 'answered';
  }
}
