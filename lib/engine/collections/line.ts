/** What can stand in a line, in one at a time. */
export interface InLine<T> {
  before: T | undefined;
  after: T | undefined;
}

/**
 * Things in the order in which they came; each can leave from the middle without a search. A `Set` would do, too, but see
 * `SlotMap` on its memory.
 */
export class Line<T extends InLine<T>> {
  first: T | undefined;
  private last: T | undefined;

  push(one: T): void {
    one.before = this.last;
    if (this.last) this.last.after = one;
    else this.first = one;
    this.last = one;
  }

  /** @param one that stands in this line, or in none any more */
  remove(one: T): void {
    if (!this.has(one)) return;
    const { before, after } = one;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.last = before;
    one.before = undefined;
    one.after = undefined;
  }

  /** @param one that stands in no other line */
  has(one: T): boolean {
    return one.before !== undefined || this.first === one;
  }

  /** Those who are there now, but for any that leave meanwhile. */
  *[Symbol.iterator](): Generator<T> {
    const all: T[] = [];
    for (let one = this.first; one; one = one.after) all.push(one);
    for (const one of all) if (this.has(one)) yield one;
  }
}
