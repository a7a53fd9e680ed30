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

  /** @param one that stands in this line */
  remove(one: T): void {
    const { before, after } = one;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.last = before;
    one.before = undefined;
    one.after = undefined;
  }

  *[Symbol.iterator](): Generator<T> {
    // Whoever is removed while it is looked at takes the way on with it.
    for (let one = this.first, next = one?.after; one; one = next, next = one?.after) yield one;
  }
}
