import { setImmediate } from 'node:timers';
import { EventHeap } from './event-heap.js';
import { SimEvent, type EventKind } from './sim-event.js';
import type { SimProcess } from './sim-process.js';

/** Simulated time: one event at a time, and all that follows from it without a timer before the next one. */
export class Scheduler {
  /** ms */
  now = 0;
  /** In which process the present event happens. */
  current: SimProcess | undefined;
  steps = 0;
  private order = 0;
  private readonly events = new EventHeap();

  plan(ms: number, kind: EventKind, run: () => void, process: SimProcess | undefined = this.current): SimEvent {
    const event = new SimEvent(this.now + ms, this.order++, kind, process, run, process?.suspended ?? 0);
    this.events.push(event);
    return event;
  }

  /** For the program around the library; it stands still with its process. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.plan(ms, 'call', resolve));
  }

  stop(process: SimProcess): void {
    if (process.state === 'running') process.state = 'stopped';
  }

  /** @param suspended for how long its monotonic clock stood still, too */
  resume(process: SimProcess, suspended = 0): void {
    if (process.state !== 'stopped') return;
    process.state = 'running';
    process.suspended += suspended;
    for (const event of process.held.splice(0)) {
      if (event.kind !== 'io' && suspended > 0) event.at += process.suspended - event.shift;
      else event.at = this.now;
      event.shift = process.suspended;
      event.order = this.order++;
      this.events.push(event);
    }
  }

  async runUntil(end: number): Promise<void> {
    for (let next = this.events.peek(); next && next.at <= end; next = this.events.peek()) {
      this.events.pop();
      await this.happen(next);
    }
    this.now = end;
  }

  /** Timers that the library and ioredis still have in a process. */
  timersOf(process: SimProcess): number {
    let count = 0;
    for (const event of this.events) {
      if (event.process === process && event.kind === 'timer' && !event.cancelled) count++;
    }
    return count;
  }

  /** Runs something in a process now, as if it were one of its events. */
  async enter(process: SimProcess | undefined, run: () => void): Promise<void> {
    this.current = process;
    run();
    await settled();
    process?.afterStep();
    this.current = undefined;
  }

  private async happen(event: SimEvent): Promise<void> {
    const { process } = event;
    if (event.cancelled || process?.state === 'dead') return;
    if (process?.state === 'stopped') return void process.held.push(event);
    if (process && event.kind !== 'io' && event.shift < process.suspended) {
      event.at += process.suspended - event.shift;
      event.shift = process.suspended;
      return this.events.push(event);
    }
    this.now = Math.max(this.now, event.at);
    this.steps++;
    await this.enter(process, event.run);
  }
}

/** By then every promise and every `nextTick` has had its turn. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
