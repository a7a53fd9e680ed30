import type { SimEvent } from './sim-event.js';

/** Events by time; those of the same time in the order in which they were put in. */
export class EventHeap {
  private readonly items: SimEvent[] = [];

  get size(): number {
    return this.items.length;
  }

  [Symbol.iterator](): Iterator<SimEvent> {
    return this.items[Symbol.iterator]();
  }

  peek(): SimEvent | undefined {
    return this.items[0];
  }

  push(event: SimEvent): void {
    const { items } = this;
    let i = items.push(event) - 1;
    for (; i > 0;) {
      const parent = (i - 1) >> 1;
      if (!isBefore(event, items[parent] as SimEvent)) break;
      items[i] = items[parent] as SimEvent;
      i = parent;
    }
    items[i] = event;
  }

  pop(): SimEvent | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1] as SimEvent, items[child] as SimEvent)) child++;
      if (!isBefore(items[child] as SimEvent, last)) break;
      items[i] = items[child] as SimEvent;
      i = child;
    }
    items[i] = last;
    return first;
  }
}

function isBefore(a: SimEvent, b: SimEvent): boolean {
  return a.at === b.at ? a.order < b.order : a.at < b.at;
}
