import { Controller, Get, Query, Sse, UseInterceptors, type MessageEvent } from '@nestjs/common';
import { defer, finalize, interval, map, type Observable } from 'rxjs';
import { currentLease, LockInterceptor } from 'nestjs-redis-lock';
import { Overlap } from './overlap.js';

/** All handlers under one lock for each tenant, taken before they are called. */
@Controller('tenant')
@UseInterceptors(LockInterceptor.with('tenant:<0.query.tenant>'))
export class InterceptedController {
  constructor(private readonly overlap: Overlap) {}

  @Get('promise')
  async promise(@Query('tenant') tenant: string): Promise<string> {
    return this.overlap.work(`${tenant} under ${currentLease()?.key}`);
  }

  @Get('plain')
  plain(): string {
    return `under ${currentLease()?.key}`;
  }

  @Get('observable')
  observable(@Query('tenant') tenant: string): Observable<string> {
    return defer(() => this.overlap.work(tenant));
  }

  @Get('generator')
  async *generator(): AsyncGenerator<string> {
    yield await this.overlap.work(`under ${currentLease()?.key}`);
    yield '!';
  }

  @Sse('events')
  events(): Observable<MessageEvent> {
    this.overlap.enter();
    return interval(5).pipe(
      map((data) => ({ data: String(data) })),
      finalize(() => this.overlap.leave()),
    );
  }
}
