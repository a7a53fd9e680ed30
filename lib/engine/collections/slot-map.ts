/**
 * A map whose entries come and go by the thousand. V8 gives a `Map` a new table again and again when entries are deleted, and
 * once a table is old, so is the next: until the next full collection an old one keeps alive what was in it when it was
 * replaced. So the values are kept apart, in slots that are emptied at once; the table knows only names and numbers.
 */
export class SlotMap<V> {
  private readonly slotOf = new Map<string, number>();
  private readonly slots: (V | undefined)[] = [];
  private readonly free: number[] = [];

  get size(): number {
    return this.slotOf.size;
  }

  get(key: string): V | undefined {
    const slot = this.slotOf.get(key);
    return slot === undefined ? undefined : this.slots[slot];
  }

  has(key: string): boolean {
    return this.slotOf.has(key);
  }

  set(key: string, value: V): void {
    let slot = this.slotOf.get(key);
    if (slot === undefined) {
      slot = this.free.pop() ?? this.slots.length;
      this.slotOf.set(key, slot);
    }
    this.slots[slot] = value;
  }

  delete(key: string): void {
    const slot = this.slotOf.get(key);
    if (slot === undefined) return;
    this.slotOf.delete(key);
    this.slots[slot] = undefined;
    this.free.push(slot);
  }

  /** In the order in which their keys came; entries may be deleted meanwhile. */
  *values(): Generator<V> {
    for (const slot of this.slotOf.values()) yield this.slots[slot] as V;
  }
}
