import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Work that the test ends, one piece after the other. */
@Injectable()
export class Workshop implements OnModuleDestroy {
  entered = 0;
  finished = 0;
  private closed = false;
  private readonly ends: (() => void)[] = [];

  async work(): Promise<string> {
    this.entered += 1;
    if (!this.closed) await new Promise<void>((resolve) => this.ends.push(resolve));
    this.finished += 1;
    return 'done';
  }

  /** Ends the piece that has been under way for the longest time. */
  end(): void {
    this.ends.shift()?.();
  }

  /** A test that fails must not keep its application from closing. */
  onModuleDestroy(): void {
    this.closed = true;
    while (this.ends.length > 0) this.end();
  }
}
