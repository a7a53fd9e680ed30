import type { AcquireRequest } from '../../engine/acquire-request.interface.js';
import type { Holding } from '../../engine/holding.interface.js';

/** Held until it is released, and never lost. */
export class PassThroughHolding implements Holding {
  readonly lost = undefined;
  readonly token: string;
  held = true;
  private ownSignal: AbortSignal | undefined;

  constructor(
    private readonly request: AcquireRequest,
    readonly fence: number,
  ) {
    this.token = `pass-through-${fence}`;
  }

  get name(): string {
    return this.request.name;
  }

  get label(): string {
    return this.request.label;
  }

  get signal(): AbortSignal {
    return (this.ownSignal ??= new AbortController().signal);
  }

  get remaining(): number {
    return this.held ? this.request.ttl : 0;
  }

  onLost(): () => void {
    return () => undefined;
  }

  async extend(): Promise<void> {}

  async release(): Promise<boolean> {
    this.held = false;
    return true;
  }

  decline(): Promise<boolean> {
    return this.release();
  }

  abandon(): void {}
}
