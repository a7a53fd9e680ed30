import type { SimEvent } from './sim-event.js';

/** A process of the simulation: what happens in it can be held up, or end for ever. */
export class SimProcess {
  state: 'running' | 'stopped' | 'dead' = 'running';
  /** What became due while it stood still. */
  readonly held: SimEvent[] = [];
  /** Time that its monotonic clock did not count, ms. */
  suspended = 0;
  /** Called after everything that happened in it. */
  afterStep: () => void = () => undefined;

  constructor(readonly name: string) {}

  kill(): void {
    this.state = 'dead';
    this.held.length = 0;
  }
}
