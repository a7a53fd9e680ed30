import type { AcquireRequest } from '../acquire-request.interface.js';
import type { Clock } from '../clock.js';
import type { SlotMap } from '../collections/slot-map.js';
import { unavailable } from '../connection/failures.js';
import type { Servers } from '../connection/servers.interface.js';
import { publishEvent } from '../diagnostics.js';
import type { Farewells } from '../farewells.js';
import { Release } from './release.js';
import { safetyMargin } from '../margin.js';
import { HeldLease, type GrantedLease, type LeaseHost } from './held-lease.js';
import type { LeaseKeeper } from './lease-keeper.js';

/** All leases that this process holds or is giving back, and those that were abandoned and run out. */
export class HeldLeases implements LeaseHost {
  private inUse = 0;
  private readonly onEmpty = new Set<() => void>();

  /** @param byToken shared with the keeper */
  constructor(
    private readonly byToken: SlotMap<HeldLease>,
    private readonly clock: Clock,
    private readonly servers: Servers,
    private readonly farewells: Farewells,
    private readonly keeper: LeaseKeeper,
  ) {}

  now(): number {
    return this.clock.now();
  }

  get(token: string): HeldLease | undefined {
    return this.byToken.get(token);
  }

  /**
   * @param waited for how long it was asked for, ms
   * @param host of the lease, if others stand between it and these
   */
  open(request: AcquireRequest, grant: GrantedLease, waited: number, host: LeaseHost = this): HeldLease {
    const lease = new HeldLease(host, request, grant);
    this.add(lease, waited);
    return lease;
  }

  /** Ends the holding of one caller of this process and gives the lease to the next one, without Redis. */
  passOn(lease: HeldLease, request: AcquireRequest, now: number, waited: number): HeldLease {
    this.tellOfRelease(lease);
    this.unuse(lease);
    const heir = lease.passOn(request, now);
    this.add(heir, waited);
    return heir;
  }

  /** A lost lease stays known until its section releases it: a shutdown waits for the section. */
  ended(lease: HeldLease): void {
    this.keeper.remove(lease);
    if (!lease.inUse && this.byToken.get(lease.token) === lease) this.byToken.delete(lease.token);
  }

  /** It stays good for the rest of the lease: whoever dropped the handle may count on that. */
  abandoned(lease: HeldLease): void {
    if (!lease.held) return this.forget(lease);
    this.unuse(lease);
    this.tellIfEmpty();
  }

  async extend(lease: HeldLease, ttl: number): Promise<void> {
    if (lease.lost) throw lease.lost;
    lease.extended = true;
    const wanted = Math.max(1, Math.ceil(Math.min(ttl, lease.latestEnd - this.now())));
    const { kind, name, keys } = lease.request;
    try {
      const { reply, sentAt } = await this.servers.run(`${kind}-renew`, [keys.owner], () => [lease.token, wanted]);
      if ((reply as number[])[0] === 1) {
        lease.validUntil = Math.max(lease.validUntil, sentAt + wanted - safetyMargin(wanted));
        return;
      }
    } catch (error) {
      throw unavailable(`Lock "${name}" could not be extended`, error, name);
    }
    const lost = lease.disown();
    // It may have been passed on meanwhile.
    this.get(lease.token)?.disown();
    throw lost;
  }

  release(lease: HeldLease): Promise<boolean> {
    const certain = lease.end();
    const { token, fence, grantedAt, earliestEnd } = lease;
    const certainUntil = certain ? lease.validUntil : 0;
    this.keeper.remove(lease);
    const { kind, keys } = lease.request;
    this.tellOfRelease(lease);
    const farewell = {
      kind,
      keys,
      token,
      fence,
      keepUntil: earliestEnd > grantedAt && earliestEnd > this.now() ? earliestEnd : 0,
    };
    if (lease.disowned || (!certain && !this.servers.of(keys.owner).ready)) {
      // Lost already: there is nothing to wait for.
      if (!lease.disowned) this.farewells.say(farewell);
      this.forget(lease);
      return Promise.resolve(false);
    }
    return new Promise((resolve, reject) => {
      this.farewells.say(farewell, new Release(this, lease, certainUntil, resolve, reject));
    });
  }

  /** Releases what is still held, whoever uses it; for the end of a shutdown. */
  releaseAll(): Promise<unknown> {
    const leases = [...this.byToken.values()].filter((lease) => lease.inUse);
    for (const lease of leases) if (!lease.leaving) lease.lose('its work went on for longer than the shutdown waits');
    return Promise.allSettled(leases.map((lease) => lease.takeBack()));
  }

  /** Resolves when no lease is held. */
  empty(): Promise<void> {
    return this.inUse === 0 ? Promise.resolve() : new Promise((resolve) => this.onEmpty.add(resolve));
  }

  private add(lease: HeldLease, waited: number): void {
    this.byToken.set(lease.token, lease);
    this.inUse++;
    this.keeper.add(lease);
    const { kind, name: key, label, context } = lease.request;
    publishEvent(() => ({ event: 'acquired', kind, key, label, waited }), context);
  }

  private tellOfRelease({ request: { kind, name: key, label, context }, grantedAt }: HeldLease): void {
    publishEvent(() => ({ event: 'released', kind, key, label, held: this.now() - grantedAt }), context);
  }

  forget(lease: HeldLease): void {
    this.byToken.delete(lease.token);
    this.unuse(lease);
    this.tellIfEmpty();
  }

  private unuse(lease: HeldLease): void {
    if (!lease.inUse) return;
    lease.inUse = false;
    this.inUse--;
  }

  private tellIfEmpty(): void {
    if (this.inUse > 0 || this.onEmpty.size === 0) return;
    for (const resolve of this.onEmpty) resolve();
    this.onEmpty.clear();
  }
}
