import { channel } from 'node:diagnostics_channel';

/** What is published on the `diagnostics_channel` named `nestjs-redis-lock`. */
export type LockEvent =
  | { event: 'acquired'; kind: string; key: string; label: string; waited: number }
  | { event: 'busy'; kind: string; key: string; label: string; waited: number }
  | { event: 'lost'; kind: string; key: string; label: string; reason: string }
  | { event: 'released'; kind: string; key: string; label: string; held: number }
  | { event: 'outage'; connection: string; error: string };

const events = channel('nestjs-redis-lock');

/** Times are milliseconds. The event is built only when somebody listens. */
export function publishEvent(build: () => LockEvent): void {
  if (events.hasSubscribers) events.publish(build());
}
