import type { RedisKeys } from '../keys/redis-keys.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import type { Clock } from './clock.js';
import { isPassing } from './connection/failures.js';
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

interface Parting {
  readonly farewell: Farewell;
  readonly startedAt: number;
  attempts: number;
  underWay: boolean;
  resolve: (released: FarewellAnswer) => void;
  reject: (error: unknown) => void;
  timer: TimerHandle | undefined;
}

export interface FarewellAnswer {
  readonly released: boolean;
  /** It had been sent before without an answer, so "not ours" may be its own doing. */
  readonly resent: boolean;
}

/** By then every lease and every queue entry has run out by itself. */
const REMEMBERED = 60_000;
const RETRY = 200;

/**
 * Release and cancel: sent at once, and again when Redis is back, until it is answered. The caller waits for `commandTimeout`
 * at most; after that the farewell goes on by itself.
 */
export class Farewells {
  onMore: (farewell: Farewell) => void = () => undefined;
  onMuted: (farewell: Farewell) => void = () => undefined;
  private readonly open = new Set<Parting>();
  private readonly onIdle = new Set<() => void>();

  constructor(
    private readonly runtime: Runtime,
    private readonly clock: Clock,
    private readonly servers: Servers,
    private readonly commandTimeout: number,
  ) {}

  /** Rejects when no answer came in time, or when the server answered with an error. */
  say(farewell: Farewell): Promise<FarewellAnswer> {
    return new Promise((resolve, reject) => {
      const startedAt = this.clock.now();
      const parting: Parting = { farewell, startedAt, attempts: 0, underWay: false, resolve, reject, timer: undefined };
      this.open.add(parting);
      this.send(parting);
    });
  }

  /** For a token that nobody waits for. */
  sayAside(farewell: Farewell): void {
    this.say(farewell).catch(() => undefined);
  }

  /** Whether a lock is being given back by then, and no answer has come yet. */
  begunBefore(owner: string, at: number): boolean {
    for (const { farewell, startedAt } of this.open) if (startedAt <= at && farewell.keys.owner === owner) return true;
    return false;
  }

  /** The connection is back: what was not answered goes out again. */
  resend(): void {
    for (const parting of [...this.open]) {
      if (this.clock.now() - parting.startedAt >= REMEMBERED) this.close(parting);
      else if (!parting.underWay) this.send(parting);
    }
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.onIdle.add(resolve));
  }

  private send(parting: Parting): void {
    const { farewell } = parting;
    const { kind, keys, token, fence } = farewell;
    if (!this.servers.of(keys.owner).ready) return this.boundWait(parting);
    const keep = farewell.keepUntil && Math.max(0, Math.ceil(farewell.keepUntil - this.clock.now()));
    parting.attempts++;
    parting.underWay = true;
    this.servers
      .ask(`${kind}-release`, { keys, args: [token, keep], fence })
      .then(({ reply }) => {
        const [own] = reply as [number | number[]];
        const [released, more, muted] = typeof own === 'number' ? [own] : own;
        this.close(parting);
        if (more) this.onMore(farewell);
        if (muted) this.onMuted(farewell);
        parting.resolve({ released: released === 1, resent: parting.attempts > 1 });
      })
      .catch((error: unknown) => this.failed(parting, error));
  }

  private failed(parting: Parting, error: unknown): void {
    parting.underWay = false;
    if (!isPassing(error)) {
      this.close(parting);
      return parting.reject(error);
    }
    this.boundWait(parting);
    if (this.servers.of(parting.farewell.keys.owner).ready)
      this.runtime.setTimeout(() => this.resend(), RETRY).unref?.();
  }

  /** The caller has been told by then; the farewell itself stays open. */
  private boundWait(parting: Parting): void {
    if (parting.timer) return;
    const left = parting.startedAt + this.commandTimeout - this.clock.now();
    const late = (): void => parting.reject(this.servers.of(parting.farewell.keys.owner).unanswered());
    parting.timer = this.runtime.setTimeout(late, Math.max(0, left));
    parting.timer.unref?.();
  }

  private close(parting: Parting): void {
    if (parting.timer) this.runtime.clearTimeout(parting.timer);
    this.open.delete(parting);
    if (this.open.size > 0) return;
    for (const resolve of this.onIdle) resolve();
    this.onIdle.clear();
  }
}
