import { Controller, Get, Res, StreamableFile } from '@nestjs/common';
import { WithLock } from 'nestjs-redis-lock';
import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';

/** Answers that go on after the handler has returned. */
@Controller()
export class FilesController {
  /** What the answers are read from; the test writes to it. */
  readonly source = new PassThrough();

  @Get('file')
  @WithLock('file')
  async file(): Promise<StreamableFile> {
    return new StreamableFile(this.source);
  }

  @Get('manual')
  @WithLock('file')
  async manual(@Res() response: ServerResponse): Promise<void> {
    this.source.pipe(response);
  }

  /** Holds its lock to the end of the answer. */
  @Get('awaited')
  @WithLock('file')
  async awaited(@Res() response: ServerResponse): Promise<void> {
    this.source.pipe(response);
    await finished(response);
  }
}
