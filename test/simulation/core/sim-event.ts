import type { SimProcess } from './sim-process.js';

/** `timer` of the library or of ioredis, `call` of the program around it, `io` of the network, `world` of the simulation itself. */
export type EventKind = 'timer' | 'call' | 'io' | 'world';

/** Something that is going to happen. It passes for the handle of a timer. */
export class SimEvent {
  cancelled = false;

  constructor(
    /** Simulated ms. */
    public at: number,
    public order: number,
    readonly kind: EventKind,
    /** In which process; none for the world around them. */
    readonly process: SimProcess | undefined,
    readonly run: () => void,
    /** Time for which the process had been suspended when this was planned. */
    public shift: number,
  ) {}

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }
}
