import { AsyncResource } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';

/** What is published on the `diagnostics_channel` named `nestjs-redis-lock`. */
export type LockEvent =
  | { event: 'acquired'; kind: string; key: string; label: string; waited: number }
  | { event: 'busy'; kind: string; key: string; label: string; waited: number }
  | { event: 'lost'; kind: string; key: string; label: string; reason: string }
  | { event: 'released'; kind: string; key: string; label: string; held: number }
  | { event: 'outage'; connection: string; error: string };

const events = channel('nestjs-redis-lock');

/**
 * The asynchronous context of a call, for its events: whoever listens finds the request or the trace there that it belongs to,
 * although its answer came with those of other calls. Only where somebody listens.
 */
export function eventContext(): AsyncResource | undefined {
  return events.hasSubscribers ? new AsyncResource('nestjs-redis-lock') : undefined;
}

/** Times are milliseconds. The event is built only when somebody listens. */
export function publishEvent(build: () => LockEvent, context?: AsyncResource): void {
  if (!events.hasSubscribers) return;
  if (context) context.runInAsyncScope(() => events.publish(build()));
  else events.publish(build());
}
