import type { RedisKeys } from '../keys/redis-keys.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import type { Clock } from './clock.js';
import { Line, type InLine } from './collections/line.js';
import type { Answer } from './connection/command-connection.js';
import { isPassing } from './connection/failures.js';
import type { LockCall } from './connection/lock-calls.js';
import type { Servers } from './connection/servers.interface.js';
import type { Runtime, TimerHandle } from './runtime.js';

/** A token that is to be given back, or taken out of a queue. */
export interface Farewell {
  readonly kind: LockKind;
  readonly keys: RedisKeys;
  readonly token: string;
  /** Fence it was used with; 0 when it was none. */
  readonly fence: number;
  /** Until when the holding stays closed, on the engine's clock; 0 = not at all. */
  readonly keepUntil: number;
}

/** Who said farewell. */
export interface FarewellListener {
  /** @param resent it had been sent before without an answer, so "not ours" may be its own doing */
  answered(released: boolean, resent: boolean): void;
  /** No answer came in time, or the server answered with an error. */
  failed(error: unknown): void;
}

/** By then every lease and every queue entry has run out by itself. */
const REMEMBERED = 60_000;
const RETRY = 200;

const NOBODY: FarewellListener = { answered: () => undefined, failed: () => undefined };

/** A farewell until it is answered. */
class Parting implements LockCall, InLine<Parting> {
  before: Parting | undefined;
  after: Parting | undefined;
  attempts = 0;
  underWay = false;
  closed = false;
  timer: TimerHandle | undefined;
  keep = 0;

  constructor(
    private readonly host: Farewells,
    readonly farewell: Farewell,
    /** Nobody any more when it has been told that no answer came in time. */
    public listener: FarewellListener,
    readonly startedAt: number,
  ) {}

  get keys(): RedisKeys {
    return this.farewell.keys;
  }

  get text(): string {
    return this.farewell.token;
  }

  get fence(): number {
    return this.farewell.fence;
  }

  answered({ reply }: Answer): void {
    const [own] = reply as [number | number[]];
    if (typeof own === 'number') this.host.answered(this, own === 1, false, false);
    else this.host.answered(this, own[0] === 1, own[1] === 1, own[2] === 1);
  }

  failed(error: unknown): void {
    this.host.failed(this, error);
  }
}

/**
 * Release and cancel: sent at once, and again when Redis is back, until it is answered. The caller waits for `commandTimeout`
 * at most; after that the farewell goes on by itself.
 */
export class Farewells {
  onMore: (farewell: Farewell) => void = () => undefined;
  onMuted: (farewell: Farewell) => void = () => undefined;
  private readonly open = new Line<Parting>();
  private readonly onIdle = new Set<() => void>();

  constructor(
    private readonly runtime: Runtime,
    private readonly clock: Clock,
    private readonly servers: Servers,
    private readonly commandTimeout: number,
  ) {}

  /** Tells the listener later, never before this returns. */
  say(farewell: Farewell, listener = NOBODY): void {
    const parting = new Parting(this, farewell, listener, this.clock.now());
    this.open.push(parting);
    this.send(parting);
  }

  /** Whether a lock is being given back by then, and no answer has come yet. */
  begunBefore(owner: string, at: number): boolean {
    for (const { keys, startedAt } of this.open) if (startedAt <= at && keys.owner === owner) return true;
    return false;
  }

  /** The connection is back: what was not answered goes out again. */
  resend(): void {
    for (const parting of this.open) {
      if (this.clock.now() - parting.startedAt >= REMEMBERED) this.giveUp(parting);
      else if (!parting.underWay) this.send(parting);
    }
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.open.first === undefined ? Promise.resolve() : new Promise((resolve) => this.onIdle.add(resolve));
  }

  private send(parting: Parting): void {
    const { farewell } = parting;
    const { kind, keys } = farewell;
    if (!this.servers.of(keys.owner).ready) return this.boundWait(parting);
    parting.keep = farewell.keepUntil && Math.max(0, Math.ceil(farewell.keepUntil - this.clock.now()));
    parting.attempts++;
    parting.underWay = true;
    this.servers.release(kind, parting);
  }

  answered(parting: Parting, released: boolean, more: boolean, muted: boolean): void {
    const { farewell, attempts, listener } = parting;
    this.close(parting);
    if (more) this.onMore(farewell);
    if (muted) this.onMuted(farewell);
    listener.answered(released, attempts > 1);
  }

  failed(parting: Parting, error: unknown): void {
    parting.underWay = false;
    if (!isPassing(error)) {
      this.close(parting);
      return parting.listener.failed(error);
    }
    this.boundWait(parting);
    if (this.servers.of(parting.keys.owner).ready) this.runtime.setTimeout(() => this.resend(), RETRY).unref?.();
  }

  /** The caller has been told by then; the farewell itself stays open. */
  private boundWait(parting: Parting): void {
    if (parting.timer) return;
    const left = parting.startedAt + this.commandTimeout - this.clock.now();
    parting.timer = this.runtime.setTimeout(() => this.tellLate(parting), Math.max(0, left));
    parting.timer.unref?.();
  }

  private giveUp(parting: Parting): void {
    this.close(parting);
    this.tellLate(parting);
  }

  private tellLate(parting: Parting): void {
    const { listener, keys } = parting;
    parting.listener = NOBODY;
    listener.failed(this.servers.of(keys.owner).unanswered());
  }

  private close(parting: Parting): void {
    if (parting.timer) this.runtime.clearTimeout(parting.timer);
    if (parting.closed) return;
    parting.closed = true;
    this.open.remove(parting);
    if (this.open.first || this.onIdle.size === 0) return;
    for (const resolve of this.onIdle) resolve();
    this.onIdle.clear();
  }
}
