import type { Reply } from '../resp/reply.js';

export interface Subscriber {
  push(items: readonly Reply[]): void;
}

/** Who listens to which channel. */
export class PubSub {
  private readonly channels = new Map<string, Set<Subscriber>>();

  subscribe(channel: string, subscriber: Subscriber): void {
    const listeners = this.channels.get(channel);
    if (listeners) listeners.add(subscriber);
    else this.channels.set(channel, new Set([subscriber]));
  }

  unsubscribe(channel: string, subscriber: Subscriber): void {
    const listeners = this.channels.get(channel);
    listeners?.delete(subscriber);
    if (listeners?.size === 0) this.channels.delete(channel);
  }

  /** @returns how many were told */
  publish(channel: string, message: string): number {
    const listeners = [...(this.channels.get(channel) ?? [])];
    for (const listener of listeners) listener.push(['message', channel, message]);
    return listeners.length;
  }

  count(channel: string): number {
    return this.channels.get(channel)?.size ?? 0;
  }

  names(): string[] {
    return [...this.channels.keys()];
  }
}
