import type { Cluster, Redis } from 'ioredis';
import { Alarm } from '../alarm.js';
import type { ConnectionContext } from '../connection/connection-context.interface.js';
import { ConnectionLog } from '../connection/connection-log.js';
import { withoutArguments } from '../connection/failures.js';
import { OWN_SETTINGS } from '../connection/own-settings.js';

/** Between two looks, ms. */
const PAUSE = 100;

/** Which node serves which slot. ioredis finds out, over connections that last as long as the question. */
export class ClusterTopology {
  lastError: Error | undefined;
  /** Nobody answers. */
  down = false;
  private readonly listeners: (() => void)[] = [];
  private onceListeners: (() => void)[] = [];
  /** Slots of which a node said that they went to another, since the last look. */
  private readonly moved = new Map<number, string>();
  /** Those that were known when the present look began, which it answers. */
  private answered: [number, string][] = [];
  private readonly again: Alarm;
  private readonly log: ConnectionLog;
  private opened = false;
  private looking = false;
  private masters: ReadonlySet<string> = new Set();

  constructor(
    private readonly cluster: Cluster,
    private readonly context: ConnectionContext,
  ) {
    const { runtime, clock, logger } = context;
    this.log = new ConnectionLog(logger, 'cluster');
    this.again = new Alarm(runtime, clock, () => this.look());
    cluster.on('refresh', () => this.refreshed());
    cluster.on('error', (error: Error) => this.failed(error));
    // Each node that does not answer; one of them that does is enough.
    cluster.on('node error', (error: Error) => (this.lastError = withoutArguments(error)));
  }

  /** Calls back after every look, whether or not something is different. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Calls back after the next look. */
  onceKnown(listener: () => void): void {
    this.onceListeners.push(listener);
  }

  open(): void {
    if (this.opened) return;
    this.opened = true;
    // A name that leads nowhere arrives in no other way. After this, ioredis tries by itself.
    this.cluster.connect().catch((error: Error) => this.failed(error));
  }

  /** `host:port` of the node that has a slot. */
  masterOf(slot: number): string | undefined {
    return this.moved.get(slot) ?? this.cluster.slots[slot]?.[0];
  }

  isMaster(address: string): boolean {
    return this.masters.has(address) || [...this.moved.values()].includes(address);
  }

  /**
   * @param address as a node said it
   * @param from the node that said it
   */
  translate(address: string, from: string): string {
    const named = address.startsWith(':') ? from.slice(0, from.lastIndexOf(':')) + address : address;
    const { natMap } = this.cluster.options;
    const mapped = typeof natMap === 'function' ? natMap(named) : natMap?.[named];
    return mapped ? `${mapped.host}:${mapped.port}` : named;
  }

  noteMoved(slot: number, address: string): void {
    this.moved.set(slot, address);
    this.refresh();
  }

  /** Looks again soon. */
  refresh(): void {
    if (this.opened) this.again.bringForward(this.context.clock.now() + PAUSE);
  }

  /** A new connection to a node, not yet opened; undefined while no node is known. */
  connect(address: string): Redis | undefined {
    const nodes = this.cluster.nodes();
    const node = nodes.find(({ options }) => `${options.host}:${options.port}` === address) ?? nodes[0];
    const end = address.lastIndexOf(':');
    const place = { host: address.slice(0, end), port: Number(address.slice(end + 1)) };
    return node?.duplicate({ ...OWN_SETTINGS, ...place });
  }

  close(): void {
    this.opened = false;
    this.again.clear();
    this.cluster.disconnect();
  }

  private look(): void {
    if (!this.opened || this.looking || this.cluster.status !== 'ready') return;
    this.looking = true;
    this.answered = [...this.moved];
    this.cluster.refreshSlotsCache((error) => {
      this.looking = false;
      if (!error) return;
      this.failed(error);
      // All known nodes may be gone for good: the names that were given first may lead to others.
      this.cluster.disconnect(true);
    });
  }

  private refreshed(): void {
    for (const [slot, address] of this.answered) {
      if (this.moved.get(slot) === address) this.moved.delete(slot);
    }
    this.answered = [];
    this.down = false;
    this.lastError = undefined;
    this.log.back();
    this.tell();
  }

  private failed(error: Error): void {
    this.down = true;
    this.lastError ??= withoutArguments(error);
    if (this.opened) this.log.lost(this.lastError);
  }

  private tell(): void {
    this.masters = new Set(this.cluster.slots.flatMap((nodes) => nodes.slice(0, 1)));
    const { onceListeners } = this;
    this.onceListeners = [];
    for (const listener of [...this.listeners, ...onceListeners]) listener();
  }
}
