import type { Holding } from '../engine/holding.interface.js';
import type { LockLostError } from '../errors/index.js';
import type { Lease } from '../interfaces/lease.interface.js';
import { outsideFrames } from './frame-storage.js';
import { LeaseHandle } from './lease-handle.js';
import type { LockGate } from './lock-gate.js';
import { Turn } from './turn.js';

/** A holding and how many calls are inside it. */
interface SharedHolding {
  readonly holding: Holding;
  entries: number;
}

// Made here, where no call is under way: a promise keeps the context that it was made in.
const OURS = Promise.resolve(true);
const NOT_OURS = Promise.resolve(false);

/**
 * One call inside a holding: the call that acquired it, or one that runs within that call. The last of them to leave gives
 * the holding back. An asynchronous context carries its innermost frame, and each frame knows the one around it.
 */
export class Frame {
  private leaving: Promise<boolean> | undefined;
  private turnOfNested: Turn | undefined;
  private handle: Lease | undefined;

  private constructor(
    /** Identity of the connection: the same name elsewhere is another lock. */
    readonly gate: LockGate,
    readonly owner: string,
    readonly label: string,
    private readonly shared: SharedHolding,
    private enclosing: Frame | undefined,
    /** The call whose turn this one has, when it is nested. */
    private readonly host: Frame | undefined,
  ) {}

  /** @param owner name of the owner key */
  static outermost(gate: LockGate, owner: string, holding: Holding, enclosing: Frame | undefined): Frame {
    return new Frame(gate, owner, holding.label, { holding, entries: 1 }, enclosing, undefined);
  }

  /** A call within this one, which must have taken its turn. */
  nest(label: string, enclosing: Frame | undefined): Frame {
    this.shared.entries += 1;
    return new Frame(this.gate, this.owner, label, this.shared, enclosing, this);
  }

  get active(): boolean {
    return this.leaving === undefined;
  }

  get holding(): Holding {
    return this.shared.holding;
  }

  get held(): boolean {
    return this.active && this.holding.held;
  }

  get lease(): Lease {
    return (this.handle ??= new LeaseHandle(this));
  }

  /** For the calls within this one. */
  get turn(): Turn {
    return (this.turnOfNested ??= new Turn());
  }

  /** The nearest call around this one that still runs; those that ended are let go, or endless chains would build up. */
  get parent(): Frame | undefined {
    let frame = this.enclosing;
    while (frame !== undefined && !frame.active) frame = frame.enclosing;
    this.enclosing = frame;
    return frame;
  }

  /** Nearest running call, from this one outwards, that is inside the lock. */
  find(gate: LockGate, owner: string): Frame | undefined {
    let frame: Frame | undefined = this.active ? this : this.parent;
    while (frame !== undefined && !(frame.gate === gate && frame.owner === owner)) frame = frame.parent;
    return frame;
  }

  /** Why the work of this call ran without the lock, if it did; looks at the clock. */
  get lost(): LockLostError | undefined {
    return this.holding.lost;
  }

  /** @returns false when the holding was no longer ours */
  leave(): Promise<boolean> {
    return (this.leaving ??= this.end());
  }

  /** Ends this call without a release: its handle is gone, so that nobody can tell when the work has ended. */
  forget(): void {
    if (!this.active) return;
    this.leaving = NOT_OURS;
    this.host?.turn.pass();
    if (--this.shared.entries === 0) this.holding.abandon();
  }

  private end(): Promise<boolean> {
    this.host?.turn.pass();
    if (--this.shared.entries > 0) return this.lost === undefined ? OURS : NOT_OURS;
    return outsideFrames(() => this.holding.release());
  }
}
