import { Controller, Get, Param, Sse, type MessageEvent } from '@nestjs/common';
import { defer, finalize, from, interval, map, of, Observable } from 'rxjs';
import { Semaphore, WithLock } from 'nestjs-redis-lock';
import { Overlap } from './overlap.js';

/** Locked handlers, one for each kind of result. */
@Controller()
export class LockedController {
  constructor(private readonly overlap: Overlap) {}

  @Get('promise/:id')
  @WithLock('order:<0>')
  async promise(@Param('id') id: string): Promise<string> {
    return this.overlap.work(id);
  }

  @Get('permits')
  @Semaphore(3)
  async permits(): Promise<string> {
    return this.overlap.work('permit');
  }

  @Get('observable/:id')
  @WithLock('order:<0>')
  observable(@Param('id') id: string): Observable<string> {
    return defer(() => this.overlap.work(id));
  }

  @Get('unknown/:id')
  @WithLock('order:<0>')
  unknown(@Param('id') id: string): Promise<string> | Observable<string> {
    return from(of(id)).pipe(map((value) => `<${value}>`));
  }

  @Get('generator/:id')
  @WithLock('order:<0>')
  async *generator(@Param('id') id: string): AsyncGenerator<string> {
    yield await this.overlap.work(id);
    yield '!';
  }

  @Sse('events')
  @WithLock('events')
  events(): Observable<MessageEvent> {
    this.overlap.enter();
    return interval(5).pipe(
      map((data) => ({ data: String(data) })),
      finalize(() => this.overlap.leave()),
    );
  }
}
