import type { SlotMap } from '../collections/slot-map.js';
import type { EngineContext } from '../engine-context.js';
import { readGrant, readRevocation, validityOfGrant, type GrantMessage } from './grant.js';
import type { Waiter } from './waiter.js';
import type { WaitingRooms } from './waiting-rooms.js';

/** Who lets a waiter in, and asks for it. */
export interface HandoverHost {
  enter(waiter: Waiter, fence: number, validUntil: number, lease: number, now: number): void;
  submit(waiter: Waiter): void;
}

/** What releasers tell the waiters of this process: that they own, or that they do not any more. */
export class Handovers {
  constructor(
    private readonly context: EngineContext,
    private readonly waiters: SlotMap<Waiter>,
    private readonly rooms: WaitingRooms,
    private readonly host: HandoverHost,
  ) {}

  /** @param address of the server that sent it */
  receive(message: string, address: string): void {
    const grant = readGrant(message);
    if (grant) return this.granted(grant, address);
    const revoked = readRevocation(message);
    const lease = revoked === undefined ? undefined : this.context.leases.get(revoked);
    if (!lease) return;
    lease.disowned = true;
    lease.lose('it was released by force');
  }

  /** Enters on a hand-off, if there is an answered request to date it by; else the answer that is under way will do. */
  date(waiter: Waiter): void {
    const { servers, clock } = this.context;
    const grant = waiter.pendingGrant;
    if (!grant || waiter.done) return;
    const link = servers.of(waiter.request.keys.owner);
    const { reference } = link.server;
    const datable = reference && link.ready && link.address === grant.address;
    if (!datable) return waiter.inFlight ? undefined : this.host.submit(waiter);
    waiter.pendingGrant = undefined;
    const now = clock.now();
    this.rooms.outlive(waiter);
    const validUntil = validityOfGrant(reference, grant, waiter.leases.handed, now);
    this.host.enter(waiter, grant.fence, validUntil, waiter.leases.handed, now);
  }

  private granted({ token, fence, expiry, ownerKey }: GrantMessage, address: string): void {
    const { servers, clock, leases, farewells } = this.context;
    const link = servers.of(ownerKey);
    if (link.address === address) link.server.noteFence(fence);
    const waiter = this.waiters.get(token);
    if (waiter) {
      waiter.pendingGrant = { fence, expiry, receivedAt: clock.now(), address };
      this.date(waiter);
    } else if (!leases.get(token)) {
      // Whoever asked is gone. Where its cancel is under way this one finds nothing left to do.
      farewells.say({ ...this.rooms.whereabouts(ownerKey), token, fence, keepUntil: 0 });
    }
  }
}
