import type { Grant } from '../engine/holding.interface.js';
import type { LockLostError } from '../errors/index.js';
import type { Lease } from '../interfaces/lease.interface.js';
import { outsideFrames } from './frame-storage.js';
import { JointGrant } from './joint-grant.js';
import { LeaseHandle } from './lease-handle.js';
import type { EntryRequest } from './entry-request.js';
import type { LockGate } from './lock-gate.js';
import type { Place } from './place.js';

/**
 * One call inside its locks. An asynchronous context carries its innermost frame, and each frame knows the one around it.
 */
export class Frame {
  /** What the call holds: one grant, or several as one. */
  readonly grant: Grant;
  private leaving: Promise<boolean> | undefined;
  private handle: Lease | undefined;

  /** @param places at least one, in the order in which their names were given */
  constructor(
    readonly gate: LockGate,
    readonly entry: EntryRequest,
    private readonly places: readonly Place[],
    private enclosing: Frame | undefined,
  ) {
    const [first] = places as [Place];
    this.grant = places.length === 1 ? first.holding : new JointGrant(places.map((place) => place.holding));
  }

  get label(): string {
    return this.entry.label;
  }

  get active(): boolean {
    return this.leaving === undefined;
  }

  get held(): boolean {
    return this.active && this.grant.held;
  }

  get lease(): Lease {
    return (this.handle ??= new LeaseHandle(this));
  }

  get names(): readonly string[] {
    return this.places.map((place) => place.holding.name);
  }

  /** The nearest call around this one that still runs; those that ended are let go, or endless chains would build up. */
  get parent(): Frame | undefined {
    let frame = this.enclosing;
    while (frame !== undefined && !frame.active) frame = frame.enclosing;
    this.enclosing = frame;
    return frame;
  }

  /** Nearest place of a running call, from this one outwards, that is inside the lock. */
  find(gate: LockGate, owner: string): Place | undefined {
    for (const frame of this.running()) {
      const found = frame.places.find((place) => place.is(gate, owner));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether a running call, from this one outwards, is inside any other lock. */
  holdsOther(gate: LockGate, owner: string): boolean {
    for (const frame of this.running()) if (frame.places.some((place) => !place.is(gate, owner))) return true;
    return false;
  }

  /** Whether a running call, from this one outwards, is inside some lock of this connection. */
  within(gate: LockGate): boolean {
    for (const frame of this.running()) if (frame.gate === gate) return true;
    return false;
  }

  private *running(): Generator<Frame> {
    for (let frame: Frame | undefined = this.active ? this : this.parent; frame; frame = frame.parent) yield frame;
  }

  /** Why the work of this call ran without the lock, if it did; looks at the clock. */
  get lost(): LockLostError | undefined {
    return this.grant.lost;
  }

  /** @returns false when a holding was no longer ours */
  leave(): Promise<boolean> {
    return (this.leaving ??= this.end());
  }

  /** Ends this call without a release; see {@link Place.forget}. */
  forget(): void {
    if (!this.active) return;
    this.leaving = Promise.resolve(false);
    for (const place of this.places) place.forget();
  }

  private end(): Promise<boolean> {
    const [first] = this.places as [Place];
    return this.places.length === 1 ? first.leave() : outsideFrames(() => this.leaveAll());
  }

  /** All are given back before a failure of one is told. */
  private async leaveAll(): Promise<boolean> {
    const endings = await Promise.allSettled(this.places.map((place) => place.leave()));
    const failed = endings.find((ending) => ending.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return endings.every((ending) => ending.status === 'fulfilled' && ending.value);
  }
}
