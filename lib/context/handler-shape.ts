import type { ExecutionContext } from '@nestjs/common';
import type { SourceShape } from './locked-section.js';

/** Under which `@Sse()` marks a handler. */
const SERVER_SENT_EVENTS = '__sse__';

/**
 * What a handler is known to give before it is called. The rest of them may give a promise, whose work cannot be stopped: one
 * that gives a stream unannounced is stopped at its first value.
 */
export function handlerShape(context: ExecutionContext): SourceShape {
  const handler = context.getHandler();
  if (Reflect.getMetadata(SERVER_SENT_EVENTS, handler) === true) return 'stream';
  const prototype = context.getClass().prototype as object;
  const type = Reflect.getMetadata('design:returntype', prototype, handler.name) as { prototype?: unknown } | undefined;
  const { subscribe } = (type?.prototype ?? {}) as { subscribe?: unknown };
  return typeof subscribe === 'function' ? 'stream' : 'unknown';
}
