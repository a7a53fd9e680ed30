import { LockLostError } from '../errors/index.js';
import type { Duration } from '../interfaces/duration.type.js';
import type { Lease } from '../interfaces/lease.interface.js';
import { checkTtl } from '../options/check-ttl.js';
import { NOT_HELD } from '../redis-lock.messages.js';
import type { Frame } from './frame.js';
import { leaveSection } from './leave-section.js';

/** What a caller sees of its place inside a lock. */
export class LeaseHandle implements Lease {
  readonly #frame: Frame;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  get key(): string {
    return this.#frame.grant.name;
  }

  get keys(): readonly string[] {
    return this.#frame.names;
  }

  get token(): string {
    return this.#frame.grant.token;
  }

  get fence(): number {
    return this.#frame.grant.fence;
  }

  get signal(): AbortSignal {
    return this.#frame.grant.signal;
  }

  get held(): boolean {
    return this.#frame.held;
  }

  get remaining(): number {
    return this.#frame.active ? this.#frame.grant.remaining : 0;
  }

  assertHeld(): void {
    if (this.held) return;
    const { grant, label, lost } = this.#frame;
    throw lost ?? new LockLostError(NOT_HELD(grant.name, label), grant.name);
  }

  async extend(ttl: Duration): Promise<void> {
    const milliseconds = checkTtl(ttl, 'lease.extend');
    this.assertHeld();
    await this.#frame.grant.extend(milliseconds);
  }

  release(): Promise<boolean> {
    return this.#frame.leave();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => leaveSection(this.#frame, resolve));
  }
}
