import { LockUnavailableError } from '../../errors/lock-unavailable.error.js';
import type { ReplicaQuorum } from '../../options/settings.interface.js';
import type { Clock } from '../clock.js';
import type { Servers } from '../connection/servers.interface.js';
import type { HeldLease } from '../holding/held-lease.js';
import { ReplicaBarrier } from './replica-barrier.js';

/** A lock that goes from server to server all the time is given back in the end. */
const MOST_TRIES = 4;

/** The barriers of one engine, one for each server, whose replicas are its own. */
export class ReplicaBarriers {
  private readonly bySite = new Map<string, ReplicaBarrier>();

  constructor(
    private readonly clock: Clock,
    private readonly servers: Servers,
  ) {}

  /**
   * @throws LockUnavailableError when too few replicas have answered in time, or Redis has not
   * @throws LockLostError when the lease is no longer ours
   */
  async pass(lease: HeldLease, quorum: ReplicaQuorum): Promise<void> {
    const { owner } = lease.request.keys;
    for (let attempt = 1; ; attempt++) {
      const link = this.servers.of(owner);
      try {
        return await this.at(owner).pass(lease, quorum);
      } catch (error) {
        const cause = error instanceof LockUnavailableError ? error.cause : undefined;
        if (attempt === MOST_TRIES || !(await this.servers.follow(cause, link))) throw error;
      }
    }
  }

  private at(owner: string): ReplicaBarrier {
    const site = this.servers.siteOf(owner);
    const known = this.bySite.get(site);
    if (known) return known;
    const connect = () => this.servers.connect(site, 'replicas');
    const barrier = new ReplicaBarrier(this.clock, connect, (key) => this.servers.batchOf(key));
    this.bySite.set(site, barrier);
    return barrier;
  }
}
