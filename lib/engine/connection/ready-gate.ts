import type { Runtime, TimerHandle } from '../runtime.js';
import type { Link } from './servers.interface.js';

interface Entry {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: TimerHandle;
}

/** Those who wait for a connection to be ready, each for a bounded time. */
export class ReadyGate {
  private readonly waiting = new Set<Entry>();

  constructor(
    private readonly runtime: Runtime,
    private readonly link: Pick<Link, 'ready' | 'down' | 'unanswered'>,
  ) {}

  /** Resolves when commands can be sent; rejects when the connection is known to be down, and after `timeout` ms. */
  pass(timeout: number): Promise<void> {
    if (this.link.ready) return Promise.resolve();
    if (this.link.down) return Promise.reject(this.link.unanswered());
    return new Promise((resolve, reject) => {
      const late = (): void => this.settle(entry);
      const entry: Entry = { resolve, reject, timer: this.runtime.setTimeout(late, timeout) };
      entry.timer.unref?.();
      this.waiting.add(entry);
    });
  }

  /** It is known now. */
  open(): void {
    for (const entry of this.waiting) this.settle(entry);
  }

  private settle(entry: Entry): void {
    this.waiting.delete(entry);
    this.runtime.clearTimeout(entry.timer);
    if (this.link.ready) entry.resolve();
    else entry.reject(this.link.unanswered());
  }
}
