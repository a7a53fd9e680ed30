import type { Random } from '../core/random.js';
import type { Scheduler } from '../core/scheduler.js';
import type { SimProcess } from '../core/sim-process.js';
import { Pipe } from './pipe.js';
import { isMessage } from './is-message.js';
import { SimSocket } from './sim-socket.js';

/** A connection of one client to the server. */
export class Connection {
  readonly near: SimSocket;
  readonly far: SimSocket;
  readonly up: Pipe;
  readonly down: Pipe;
  /** Share of parcels that take long, and how long at most, ms. */
  slowness = { share: 0, most: 0 };
  private faulty = false;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
    readonly client: SimProcess,
    server: SimProcess,
  ) {
    this.near = new SimSocket(scheduler);
    this.far = new SimSocket(scheduler);
    const latency = (): number => this.latency();
    this.up = new Pipe(scheduler, server, latency, (parcel) => this.far.receive(parcel));
    this.down = new Pipe(scheduler, client, latency, (parcel) => this.near.receive(parcel));
    this.near.attach(this.up);
    this.far.attach(this.down);
    this.near.keptOfReset = this.far.keptOfReset = () => random.next();
  }

  get open(): boolean {
    return !this.near.destroyed || !this.far.destroyed;
  }

  get usable(): boolean {
    return !this.near.destroyed && !this.near.connecting && !this.far.destroyed && !this.faulty;
  }

  /** Both ends learn, each in its time; what was under way is lost. */
  cut(): void {
    const { scheduler, client } = this;
    this.faulty = true;
    this.up.tear();
    this.down.tear();
    scheduler.plan(this.latency(), 'io', () => this.near.fail('ECONNRESET'), client);
    scheduler.plan(this.latency(), 'world', () => this.far.fail('ECONNRESET'));
  }

  /** The connection ends when the next command is sent, or the next reply: `down` means that the command has run. */
  cutAtNext(direction: 'up' | 'down'): void {
    this.faulty = true;
    const pipe = this[direction];
    pipe.admits = () => {
      pipe.admits = () => true;
      this.cut();
      return false;
    };
  }

  /** Looks healthy from both ends, but nothing arrives. */
  stall(): void {
    this.up.stalled = true;
    this.down.stalled = true;
  }

  /** @param delivers false = what was held is lost, with the connection */
  heal(delivers: boolean): void {
    if (!delivers) this.cut();
    this.up.heal();
    this.down.heal();
  }

  loseMessages(loses: boolean): void {
    this.down.admits = loses ? (parcel) => typeof parcel === 'string' || !isMessage(parcel) : () => true;
  }

  private latency(): number {
    const { random, slowness } = this;
    return random.chance(slowness.share) ? random.between(50, slowness.most) : random.between(0.2, 3);
  }
}
