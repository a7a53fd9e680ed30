import { Keyspace } from './keyspace.js';

export const DATABASES = 16;

/** The numbered databases of a server. */
export class Databases {
  private readonly spaces: readonly Keyspace[];

  /** @param now of the server's clock, ms */
  constructor(now: () => number) {
    this.spaces = Array.from({ length: DATABASES }, () => new Keyspace(now));
  }

  at(index: number): Keyspace {
    return this.spaces[index] as Keyspace;
  }

  /** Forgets all keys, as a server does that starts without data. */
  clear(): void {
    for (const space of this.spaces) space.clear();
  }
}
