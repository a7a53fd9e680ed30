import type { AcquireRequest } from '../../lib/engine/acquire-request.interface.js';
import type { Holding } from '../../lib/engine/holding.interface.js';
import type { LockEngine } from '../../lib/engine/lock-engine.interface.js';
import { LockBusyError, LockLostError, type LockUnavailableError } from '../../lib/errors/index.js';
import type { LockInspection } from '../../lib/interfaces/inspection.interface.js';
import type { LockKind } from '../../lib/interfaces/lock-kind.type.js';
import type { RedisKeys } from '../../lib/keys/redis-keys.js';

/** A grant in memory whose loss and whose release the test decides. */
export class FakeHolding implements Holding {
  readonly token: string;
  held = true;
  lost: LockLostError | undefined;
  releases = 0;
  abandoned = false;
  declined = false;
  extended: number[] = [];
  /** What a release does beside ending the holding. */
  onRelease: () => Promise<boolean> | boolean = () => !this.lost;
  private readonly controller = new AbortController();
  private readonly listeners = new Set<(error: LockLostError) => void>();
  private releasing: Promise<boolean> | undefined;

  constructor(
    readonly request: AcquireRequest,
    readonly fence: number,
    private readonly freed: () => void,
  ) {
    this.token = `token-${fence}`;
  }

  get name(): string {
    return this.request.name;
  }

  get label(): string {
    return this.request.label;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get remaining(): number {
    return this.held ? this.request.ttl : 0;
  }

  get listening(): number {
    return this.listeners.size;
  }

  onLost(listener: (error: LockLostError) => void): () => void {
    if (this.lost) listener(this.lost);
    else this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async extend(ttl: number): Promise<void> {
    this.extended.push(ttl);
  }

  release(): Promise<boolean> {
    return (this.releasing ??= this.end());
  }

  decline(): Promise<boolean> {
    this.declined = true;
    return this.release();
  }

  abandon(): void {
    this.abandoned = true;
  }

  /** The lease is gone; `quietly` = the signal has not been heard of yet, only the clock knows. */
  lose(quietly = false): void {
    this.held = false;
    this.lost = new LockLostError(`"${this.name}" lost.`, this.name);
    if (quietly) return;
    this.controller.abort(this.lost);
    for (const listener of this.listeners) listener(this.lost);
  }

  private async end(): Promise<boolean> {
    this.releases += 1;
    this.held = false;
    this.freed();
    return this.onRelease();
  }
}

/** Locks in memory, first come first served, with everything a test wants to see. */
export class FakeEngine implements LockEngine {
  readonly requests: AcquireRequest[] = [];
  readonly holdings: FakeHolding[] = [];
  readonly calls: string[] = [];
  /** Prepares each grant. */
  onGrant: (holding: FakeHolding) => void = () => undefined;
  /** Rejects every acquire. */
  outage: LockUnavailableError | undefined;
  private readonly held = new Map<string, number>();
  private readonly queue: { owner: string; limit: number; grant: () => void }[] = [];
  private fence = 0;

  get last(): FakeHolding {
    return this.holdings.at(-1) as FakeHolding;
  }

  /** How many hold something now. */
  get active(): number {
    return [...this.held.values()].reduce((sum, count) => sum + count, 0);
  }

  names(kind: LockKind, name: string): RedisKeys {
    const owner = `${kind}:${name}`;
    return { owner, queue: `queue:{${owner}}`, seen: `seen:{${owner}}` };
  }

  open(): void {
    this.calls.push('open');
  }

  async acquire(request: AcquireRequest): Promise<Holding> {
    this.requests.push(request);
    request.signal?.throwIfAborted();
    if (this.outage) throw this.outage;
    const { owner } = request.keys;
    if ((this.held.get(owner) ?? 0) < request.limit) return this.grant(request);
    if (request.wait === 0) throw this.busy(request);
    return this.wait(request);
  }

  async inspect(kind: LockKind, name: string): Promise<LockInspection> {
    this.calls.push(`inspect ${kind} ${name}`);
    const redisKey = this.names(kind, name).owner;
    const held = this.held.has(redisKey);
    return { key: name, kind, redisKey, held, holders: [], waiters: [] };
  }

  async forceRelease(kind: LockKind, name: string): Promise<boolean> {
    this.calls.push(`forceRelease ${kind} ${name}`);
    return this.held.has(this.names(kind, name).owner);
  }

  refuseWaits(): void {
    this.calls.push('refuseWaits');
  }

  async close(): Promise<void> {
    this.calls.push('close');
  }

  private grant(request: AcquireRequest): FakeHolding {
    const { owner } = request.keys;
    this.held.set(owner, (this.held.get(owner) ?? 0) + 1);
    const holding = new FakeHolding(request, ++this.fence, () => {
      this.held.set(owner, (this.held.get(owner) ?? 0) - 1);
      this.serve();
    });
    this.holdings.push(holding);
    this.onGrant(holding);
    return holding;
  }

  private wait(request: AcquireRequest): Promise<Holding> {
    const { wait, signal, limit, keys } = request;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.queue.splice(this.queue.indexOf(entry), 1);
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      const entry = {
        owner: keys.owner,
        limit,
        grant: () => {
          leave();
          resolve(this.grant(request));
        },
      };
      const timer =
        wait === Infinity
          ? undefined
          : setTimeout(() => {
              leave();
              reject(this.busy(request));
            }, wait);
      signal?.addEventListener('abort', abort);
      this.queue.push(entry);
    });
  }

  private serve(): void {
    const next = this.queue.find(({ owner, limit }) => (this.held.get(owner) ?? 0) < limit);
    next?.grant();
  }

  private busy({ name, label, wait }: AcquireRequest): LockBusyError {
    return new LockBusyError(`${label}: "${name}" busy for ${wait} ms`, name, 1500);
  }
}
