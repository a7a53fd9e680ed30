import calculateSlot from 'cluster-key-slot';
import type { RedisKeys } from '../../keys/redis-keys.js';
import { Alarm } from '../alarm.js';
import type { ConnectionContext } from '../connection/connection-context.interface.js';
import { Subscriber } from '../connection/subscriber.js';
import { WakeChannel } from '../connection/wake-channel.js';
import type { Wake, WakeHost, Wakes } from '../connection/wake.interface.js';
import type { ClusterServers } from './cluster-servers.js';
import type { ClusterTopology } from './cluster-topology.js';
import { ShardSeat } from './shard-seat.js';

/** Before a subscription that failed is tried again, ms. */
const RETRY = 100;
/** For which a channel is kept after it was last waited on, ms. */
const KEPT = 60_000;

/** A channel for every lock that is waited for, on a connection to the node that has its keys. */
export class ClusterWakes implements Wakes {
  private readonly seats = new Map<string, ShardSeat>();
  private readonly subscribers = new Map<string, Subscriber>();
  private readonly sweep: Alarm;
  private readonly context: ConnectionContext;
  private closed = false;
  private warned = false;

  /** @param pollInterval of the module, ms: every waiter shows up that often */
  constructor(
    private readonly clientId: string,
    private readonly topology: ClusterTopology,
    private readonly servers: ClusterServers,
    context: ConnectionContext,
    private readonly host: WakeHost,
    private readonly pollInterval: number,
  ) {
    // What one channel is refused for want of a right, the next one will be, too.
    const warn = (message: string): void => {
      if (!this.warned) context.logger.warn(message);
      this.warned = true;
    };
    this.context = {
      ...context,
      logger: Object.assign(Object.create(context.logger) as typeof context.logger, { warn }),
    };
    this.sweep = new Alarm(context.runtime, context.clock, () => this.sweepUp());
    topology.onChange(() => this.changed());
  }

  /** A channel is made only when somebody is about to wait: most locks never need one. */
  of(keys: RedisKeys): Wake {
    const seat = this.seats.get(this.nameOf(keys));
    if (!seat) return new UnopenedWake(() => this.take(keys));
    seat.usedAt = this.context.clock.now();
    return seat.channel;
  }

  close(): void {
    this.closed = true;
    this.sweep.clear();
    for (const { channel } of this.seats.values()) channel.close();
    for (const subscriber of this.subscribers.values()) subscriber.close();
  }

  /** Puts a channel on the connection to the node that has its slot now. */
  place(seat: ShardSeat): void {
    if (this.closed || !seat.wanted) return;
    const address = this.topology.masterOf(seat.slot);
    const subscriber = address === undefined ? undefined : this.subscriberAt(address);
    // The next look at the Cluster places it.
    if (!subscriber) return this.topology.refresh();
    seat.subscriber = subscriber;
    subscriber.open();
    if (subscriber.connected) void seat.channel.subscribe();
  }

  placeLater(seat: ShardSeat): void {
    const { runtime } = this.context;
    const timer = runtime.setTimeout(() => this.place(seat), RETRY * (0.5 + runtime.random()));
    timer.unref?.();
  }

  movedTo(slot: number, address: string, from: string): void {
    this.topology.noteMoved(slot, this.topology.translate(address, from));
  }

  /** As in lua/includes/wake.lua: what stands behind 'queue:' has the hash tag. */
  private nameOf({ queue }: RedisKeys): string {
    return `wake:${queue.slice('queue:'.length)}:${this.clientId}`;
  }

  private take(keys: RedisKeys): WakeChannel {
    const name = this.nameOf(keys);
    const known = this.seats.get(name);
    if (known) return known.channel;
    const seat = new ShardSeat(this, this.servers, keys.owner, calculateSlot(keys.owner));
    seat.channel = new WakeChannel(name, seat, this.context, this.host);
    seat.usedAt = this.context.clock.now();
    this.seats.set(name, seat);
    this.sweep.bringForward(seat.usedAt + KEPT);
    return seat.channel;
  }

  private changed(): void {
    for (const seat of this.seats.values()) {
      const moved = seat.subscriber?.address !== this.topology.masterOf(seat.slot);
      if (moved) seat.channel.lost();
      if (moved || !seat.channel.listening) this.place(seat);
    }
    this.closeEmpty();
  }

  private subscriberAt(address: string): Subscriber | undefined {
    const known = this.subscribers.get(address);
    if (known) return known;
    const redis = this.topology.connect(address);
    if (!redis) return undefined;
    const seats = (): ShardSeat[] => [...this.seats.values()].filter((seat) => seat.subscriber === subscriber);
    const lost = (): void => {
      for (const { channel } of seats()) channel.lost();
      if (seats().length > 0) this.topology.refresh();
    };
    const subscriber: Subscriber = new Subscriber(
      redis,
      { ...this.context, name: `wake channel, ${address}` },
      this.host,
      {
        connected: () => seats().forEach(({ channel }) => void channel.subscribe()),
        lost,
        moved: lost,
        message: (name, message) => this.seats.get(name)?.channel.receive(message, address),
      },
    );
    this.subscribers.set(address, subscriber);
    return subscriber;
  }

  private sweepUp(): void {
    const now = this.context.clock.now();
    const kept = Math.max(KEPT, 2 * this.pollInterval);
    for (const [name, seat] of this.seats) {
      if (now - seat.usedAt < kept) continue;
      seat.leave();
      this.seats.delete(name);
    }
    this.closeEmpty();
    if (this.seats.size > 0) this.sweep.set(now + KEPT);
  }

  private closeEmpty(): void {
    const used = new Set([...this.seats.values()].map(({ subscriber }) => subscriber));
    for (const [address, subscriber] of this.subscribers) {
      if (used.has(subscriber)) continue;
      subscriber.close();
      this.subscribers.delete(address);
    }
  }
}

/** In the place of a channel that is not there yet. */
class UnopenedWake implements Wake {
  readonly pushable = false;
  readonly settled = false;

  constructor(private readonly take: () => Wake) {}

  ready(): Promise<void> {
    return this.take().ready();
  }

  wantsGreeting(): boolean {
    return false;
  }

  verify(): void {
    // There is nothing that could be dead.
  }

  reopen(): void {
    // Nor subscribed.
  }

  refuse(reason: string): void {
    this.take().refuse(reason);
  }
}
