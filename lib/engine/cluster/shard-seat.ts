import type { Subscriber } from '../connection/subscriber.js';
import type { WakeChannel, WakeSeat } from '../connection/wake-channel.js';
import type { ClusterServers } from './cluster-servers.js';
import type { ClusterWakes } from './cluster-wakes.js';
import { readRedirection } from './redirection.js';

/** Where the channel of one lock is subscribed in a Cluster. */
export class ShardSeat implements WakeSeat {
  readonly rights = 'SSUBSCRIBE and SPUBLISH on wake:*';
  channel!: WakeChannel;
  /** Somebody has waited. */
  wanted = false;
  usedAt = 0;
  subscriber: Subscriber | undefined;

  constructor(
    private readonly wakes: ClusterWakes,
    private readonly servers: ClusterServers,
    private readonly owner: string,
    readonly slot: number,
  ) {}

  open(): void {
    this.wanted = true;
    this.wakes.place(this);
  }

  async subscribe(channel: string): Promise<boolean> {
    const { subscriber } = this;
    if (!subscriber?.connected) return false;
    try {
      await subscriber.ask((redis) => redis.ssubscribe(channel));
    } catch (error) {
      const redirection = readRedirection(error);
      if (redirection?.kind === 'moved') {
        this.wakes.movedTo(redirection.slot, redirection.address, subscriber.address);
      }
      throw error;
    }
    return subscriber.connected && subscriber === this.subscriber;
  }

  publish(channel: string, message: string): Promise<unknown> {
    return this.servers.send(this.owner, (redis) => redis.spublish(channel, message));
  }

  works(): void {
    this.subscriber?.works();
  }

  wantsGreeting(): boolean {
    return this.subscriber?.wantsGreeting() ?? false;
  }

  verify(): void {
    this.subscriber?.verify();
  }

  /** The connection serves other channels, too. Where it is dead, the unanswered subscription will show it. */
  reset(): void {
    this.wakes.placeLater(this);
  }

  rest(): void {
    // Others may have the right.
  }

  leave(): void {
    this.channel.close();
    const { subscriber } = this;
    if (subscriber?.connected) subscriber.ask((redis) => redis.sunsubscribe(this.channel.name)).catch(() => undefined);
  }
}
