import type { Caller } from './caller.js';

/** Callers in the order in which they came; whoever gives up leaves from the middle without a search. */
export class CallerLine {
  first: Caller | undefined;
  private last: Caller | undefined;

  push(caller: Caller): void {
    caller.before = this.last;
    if (this.last) this.last.after = caller;
    else this.first = caller;
    this.last = caller;
  }

  /** @param caller that stands in this line */
  remove(caller: Caller): void {
    const { before, after } = caller;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.last = before;
    caller.before = undefined;
    caller.after = undefined;
  }

  *[Symbol.iterator](): Generator<Caller> {
    // Whoever is removed while it is looked at takes the way on with it.
    for (let caller = this.first, next = caller?.after; caller; caller = next, next = caller?.after) yield caller;
  }
}
