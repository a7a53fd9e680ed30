import { Injectable } from '@nestjs/common';

/** Work that lasts until a test ends it. */
@Injectable()
export class Work {
  readonly done: string[] = [];
  private readonly ends = new Map<string, () => void>();

  get running(): string[] {
    return [...this.ends.keys()].sort();
  }

  /** @returns its name, when it has been ended */
  async run(name: string): Promise<string> {
    await new Promise<void>((resolve) => this.ends.set(name, resolve));
    this.ends.delete(name);
    this.done.push(name);
    return name;
  }

  endAll(): void {
    for (const end of this.ends.values()) end();
  }
}
