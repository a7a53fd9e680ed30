import type { LoggerService } from '@nestjs/common';
import { Alarm } from '../alarm.js';
import type { Clock } from '../clock.js';
import type { SlotMap } from '../collections/slot-map.js';
import type { Servers } from '../connection/servers.interface.js';
import type { Runtime } from '../runtime.js';
import type { HeldLease } from './held-lease.js';

/** With some to spare: leases that are nearly due come a little early, so that there is more than one renewal in a period. */
const MOST_PER_COMMAND = 128;
const LONGEST_RETRY = 500;
/** A lease this many times older than its ttl is worth a line in the log. */
const OLD_AGE = 10;

/**
 * Renews all leases of one engine with one timer: each at a third of its lease, those that are nearly due with it in one
 * command. A failure is tried again until the deadline; "not ours" is final. Also tells leases that their deadline passed.
 */
export class LeaseKeeper {
  private readonly alarm: Alarm;

  /** @param leases all of the process, by token: one that is passed on within the process keeps the token */
  constructor(
    private readonly leases: SlotMap<HeldLease>,
    runtime: Runtime,
    private readonly clock: Clock,
    private readonly servers: Servers,
    private readonly logger: LoggerService,
  ) {
    this.alarm = new Alarm(runtime, clock, () => this.look());
  }

  add(lease: HeldLease): void {
    lease.watched = true;
    this.alarm.bringForward(Math.min(lease.renewAt, lease.deadline));
  }

  /** The timer is left to ring once more: setting it for every short section would cost more. */
  remove(lease: HeldLease): void {
    lease.watched = false;
  }

  /** All leases have been given back. */
  close(): void {
    this.alarm.clear();
  }

  /** Renews what is due; called by the timer and when Redis is back. */
  look(): void {
    const now = this.clock.now();
    const due = new Map<string, HeldLease[]>();
    let next = Infinity;
    for (const lease of this.leases.values()) {
      if (!lease.watched || lease.checkDeadline()) continue;
      if (!lease.renewing && lease.renewAt - lease.lease / 15 <= now) this.put(due, lease);
      else if (!lease.renewing) next = Math.min(next, lease.renewAt);
      next = Math.min(next, lease.deadline);
      this.warnOfAge(lease, now);
    }
    this.alarm.set(next);
    for (const batch of due.values()) {
      for (let i = 0; i < batch.length; i += MOST_PER_COMMAND) void this.renew(batch.slice(i, i + MOST_PER_COMMAND));
    }
  }

  /** With those that can be renewed in the same command. */
  private put(due: Map<string, HeldLease[]>, lease: HeldLease): void {
    const { kind, keys } = lease.request;
    const batch = `${kind} ${this.servers.batchOf(keys.owner)}`;
    const leases = due.get(batch);
    if (leases) leases.push(lease);
    else due.set(batch, [lease]);
  }

  /** @param leases of one batch */
  private async renew(leases: HeldLease[]): Promise<void> {
    const { kind } = (leases[0] as HeldLease).request;
    const now = this.clock.now();
    const wanted = leases.map((lease) => lease.wantedLease(now));
    for (const lease of leases) lease.renewing = true;
    try {
      const keys = leases.map((lease) => lease.request.keys.owner);
      const args = [...leases.map((lease) => lease.token), ...wanted];
      const { reply, sentAt } = await this.servers.run(`${kind}-renew`, keys, () => args);
      leases.forEach((lease, i) => this.renewed(lease, (reply as number[])[i] === 1, sentAt, wanted[i] as number));
    } catch {
      const again = this.clock.now();
      for (const { token, lease } of leases) this.planned(token, again + Math.min(LONGEST_RETRY, lease / 10));
    }
  }

  /** The answer is for whoever has the lease by now. */
  private renewed({ token }: HeldLease, ours: boolean, sentAt: number, wanted: number): void {
    const lease = this.leases.get(token);
    if (!lease?.watched) return;
    if (!ours) return void lease.disown();
    lease.renewed(sentAt, wanted);
    const last = !lease.request.renew || sentAt + wanted >= lease.latestEnd - 1;
    this.planned(token, last ? Infinity : sentAt + wanted / 3);
  }

  private planned(token: string, renewAt: number): void {
    const lease = this.leases.get(token);
    if (!lease?.watched) return;
    lease.renewing = false;
    // An abandoned lease runs out.
    if (lease.renewAt !== Infinity) lease.renewAt = renewAt;
    this.alarm.bringForward(Math.min(lease.renewAt, lease.deadline));
  }

  private warnOfAge(lease: HeldLease, now: number): void {
    if (lease.warnedOfAge || now - lease.grantedAt < lease.request.ttl * OLD_AGE) return;
    lease.warnedOfAge = true;
    const seconds = Math.round((now - lease.grantedAt) / 1000);
    this.logger.warn(
      `Lock "${lease.name}" has been held by ${lease.label} for ${seconds} s, ${OLD_AGE} times its ttl. Set maxHold to end that.`,
    );
  }
}
