import type { Holding } from '../engine/holding.interface.js';
import { outsideFrames } from './frame-storage.js';
import type { LockGate } from './lock-gate.js';
import { Turn } from './turn.js';

// Made here, where no call is under way: a promise keeps the context that it was made in.
const OURS = Promise.resolve(true);
const NOT_OURS = Promise.resolve(false);

/**
 * The place of one call inside one lock: the one that acquired it, or one within that. The last of them to leave gives the
 * holding back.
 */
export class Place {
  private leaving: Promise<boolean> | undefined;
  private turnOfNested: Turn | undefined;
  private readonly outermost: Place;
  /** Calls inside the holding; counted by the outermost. */
  private entries = 1;

  /**
   * @param gate identity of the connection: the same name elsewhere is another lock
   * @param owner name of the owner key
   * @param host whose turn this one has, when it is nested
   */
  constructor(
    readonly gate: LockGate,
    readonly owner: string,
    readonly label: string,
    readonly holding: Holding,
    private readonly host: Place | undefined,
  ) {
    this.outermost = host?.outermost ?? this;
  }

  /** A place within this one, for a call that has taken its turn. */
  nest(label: string): Place {
    this.outermost.entries += 1;
    return new Place(this.gate, this.owner, label, this.holding, this);
  }

  get active(): boolean {
    return this.leaving === undefined;
  }

  get held(): boolean {
    return this.active && this.holding.held;
  }

  /** For the calls within this one. */
  get turn(): Turn {
    return (this.turnOfNested ??= new Turn());
  }

  is(gate: LockGate, owner: string): boolean {
    return this.gate === gate && this.owner === owner;
  }

  /** @returns false when the holding was no longer ours */
  leave(): Promise<boolean> {
    return (this.leaving ??= this.end(() => this.holding.release()));
  }

  /** Leaves before any work has begun. */
  decline(): Promise<boolean> {
    return (this.leaving ??= this.end(() => this.holding.decline()));
  }

  /** Leaves without a release: the handle is gone, so that nobody can tell when the work has ended. */
  forget(): void {
    if (!this.active) return;
    this.leaving = NOT_OURS;
    this.host?.turn.pass();
    if (--this.outermost.entries === 0) this.holding.abandon();
  }

  private end(giveBack: () => Promise<boolean>): Promise<boolean> {
    this.host?.turn.pass();
    if (--this.outermost.entries > 0) return this.holding.lost === undefined ? OURS : NOT_OURS;
    return outsideFrames(giveBack);
  }
}
