import type { Scheduler } from '../core/scheduler.js';
import type { SimEvent } from '../core/sim-event.js';
import type { SimProcess } from '../core/sim-process.js';

/** Bytes, the end of them, or the news that the sender has reset the connection. */
export type Parcel = Buffer | 'end' | 'reset';

/** One direction of a connection: what is sent arrives later, in order, or not at all. */
export class Pipe {
  /** Nothing arrives while it is set; it waits in the sender's kernel. */
  stalled = false;
  /** Asked about everything that is sent; false = it is lost. */
  admits: (parcel: Parcel) => boolean = () => true;
  private readonly underWay: { readonly event: SimEvent; readonly parcel: Parcel }[] = [];
  private waiting: Parcel[] = [];
  private lastArrival = 0;
  private closed = false;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly receiver: SimProcess,
    private readonly latency: () => number,
    private readonly deliver: (parcel: Parcel) => void,
  ) {}

  send(parcel: Parcel): void {
    if (this.closed || !this.admits(parcel)) return;
    if (typeof parcel === 'string') this.closed = true;
    const { scheduler } = this;
    this.lastArrival = Math.max(scheduler.now + this.latency(), this.lastArrival);
    const arrive = (): void => this.arrive(parcel);
    const event = scheduler.plan(this.lastArrival - scheduler.now, 'io', arrive, this.receiver);
    this.underWay.push({ event, parcel });
  }

  /** The sender gives up: of what is under way only the first `kept` parcels still arrive, and nothing that waits. */
  reset(kept: number): void {
    if (this.closed && this.underWay.length === 0 && this.waiting.length === 0) return;
    for (const { event } of this.underWay.splice(this.stalled ? 0 : kept)) event.cancelled = true;
    this.waiting = [];
    this.closed = false;
    this.send('reset');
  }

  get pending(): number {
    return this.underWay.length;
  }

  /** Lets in what waited. */
  heal(): void {
    if (!this.stalled) return;
    this.stalled = false;
    const waited = this.waiting;
    this.waiting = [];
    const { scheduler } = this;
    // Before what is still under way.
    for (const parcel of waited) scheduler.plan(0, 'io', () => this.deliver(parcel), this.receiver);
    const rest = this.underWay.splice(0);
    for (const { event, parcel } of rest) {
      event.cancelled = true;
      this.lastArrival = Math.max(event.at, scheduler.now);
      const arrive = (): void => this.arrive(parcel);
      this.underWay.push({
        event: scheduler.plan(this.lastArrival - scheduler.now, 'io', arrive, this.receiver),
        parcel,
      });
    }
  }

  /** Everything on the way is lost, and nothing is taken any more. */
  tear(): void {
    for (const { event } of this.underWay.splice(0)) event.cancelled = true;
    this.waiting = [];
    this.closed = true;
  }

  private arrive(parcel: Parcel): void {
    const place = this.underWay.findIndex((other) => other.parcel === parcel);
    if (place >= 0) this.underWay.splice(place, 1);
    if (this.stalled) this.waiting.push(parcel);
    else this.deliver(parcel);
  }
}
