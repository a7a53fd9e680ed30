export interface Scored {
  readonly member: string;
  readonly score: number;
}

/** Members by score, and by their bytes where scores are equal. */
export class SortedSet {
  private readonly scores = new Map<string, number>();
  private readonly order: Scored[] = [];

  get size(): number {
    return this.order.length;
  }

  score(member: string): number | undefined {
    return this.scores.get(member);
  }

  /** Adds a member, or moves it. */
  put(member: string, score: number): void {
    this.delete(member);
    this.scores.set(member, score);
    this.order.splice(this.position({ member, score }), 0, { member, score });
  }

  delete(member: string): boolean {
    const score = this.scores.get(member);
    if (score === undefined) return false;
    this.scores.delete(member);
    this.order.splice(this.position({ member, score }), 1);
    return true;
  }

  rank(member: string): number | undefined {
    const score = this.scores.get(member);
    return score === undefined ? undefined : this.position({ member, score });
  }

  all(): readonly Scored[] {
    return this.order;
  }

  /** Where it stands, or would stand. */
  private position(wanted: Scored): number {
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(this.order[middle] as Scored, wanted)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(one: Scored, other: Scored): boolean {
  return one.score < other.score || (one.score === other.score && one.member < other.member);
}
