import { StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';

/** For a value that nobody will get: what it reads from, such as an open file, would else stay open. */
export function discard(value: unknown): void {
  const stream: unknown = value instanceof StreamableFile ? value.getStream() : value;
  if (stream instanceof Readable) stream.destroy();
}
