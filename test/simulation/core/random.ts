/** Chance that follows from a seed. */
export class Random {
  private state: number;

  constructor(private readonly seed: number) {
    this.state = seed | 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** A whole number, `most` included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('Nothing to pick from.');
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** Waiting times of what happens at any moment with the same likelihood. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  bytes(size: number): Buffer {
    return Buffer.from(Array.from({ length: size }, () => this.int(0, 255)));
  }

  /** An independent source, so that one more draw in one place does not change all others. */
  fork(name: string): Random {
    let hash = this.seed;
    for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    return new Random(hash ^ (hash >>> 13));
  }
}
