import { Duplex } from 'node:stream';
import type { Scheduler } from '../core/scheduler.js';
import type { SimEvent } from '../core/sim-event.js';
import type { Parcel, Pipe } from './pipe.js';

/** One end of a connection, as far as ioredis and a server use it of a real socket. */
export class SimSocket extends Duplex {
  connecting = false;
  readonly remoteAddress = 'simulated';
  readonly remotePort = 6379;
  private out: Pipe | undefined;
  private idle: SimEvent | undefined;

  constructor(private readonly scheduler: Scheduler) {
    super({ allowHalfOpen: false });
    // Whoever listens hears of it; nobody has to.
    this.on('error', () => undefined);
  }

  attach(out: Pipe): void {
    this.out = out;
  }

  receive(parcel: Parcel): void {
    if (this.destroyed) return;
    if (parcel === 'reset') this.fail('ECONNRESET');
    else this.push(parcel === 'end' ? null : parcel);
  }

  fail(code: string): void {
    if (this.destroyed) return;
    this.out?.tear();
    this.destroy(Object.assign(new Error(`simulated ${code}`), { code }));
  }

  /** What waits to be sent is thrown away, also in the kernel; what is in the network may still arrive, up to a point. */
  resetAndDestroy(): this {
    this.out?.reset(Math.floor(this.keptOfReset() * (this.out.pending + 1)));
    return this.destroy();
  }

  /** Share of what is under way that still arrives after a reset. */
  keptOfReset: () => number = () => 0;

  setTimeout(ms: number, callback?: () => void): this {
    if (this.idle) this.idle.cancelled = true;
    this.idle = ms > 0 && callback ? this.scheduler.plan(ms, 'timer', callback) : undefined;
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Whatever arrives is pushed.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.out?.send(chunk);
    callback();
  }

  override _final(callback: () => void): void {
    this.out?.send('end');
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (this.idle) this.idle.cancelled = true;
    this.out?.send('end');
    callback(error);
  }
}
