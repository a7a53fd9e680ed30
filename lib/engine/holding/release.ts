import { unavailable } from '../connection/failures.js';
import type { FarewellListener } from '../farewells.js';
import type { HeldLease } from './held-lease.js';

/** Who knows the lease until its release is answered. */
export interface ReleaseHost {
  now(): number;
  forget(lease: HeldLease): void;
}

/** A release on its way. */
export class Release implements FarewellListener {
  /** @param certainUntil until when the lease was ours for certain as it began; 0 where it was not any more */
  constructor(
    private readonly host: ReleaseHost,
    private readonly lease: HeldLease,
    private readonly certainUntil: number,
    private readonly resolve: (ours: boolean) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  answered(released: boolean, resent: boolean): void {
    const { lease, host } = this;
    // A release that was sent twice may have been done the first time.
    const ours = released || (resent && host.now() < this.certainUntil);
    if (!ours) lease.lose('it was no longer ours at the release');
    host.forget(lease);
    this.resolve(ours);
  }

  failed(error: unknown): void {
    const { name } = this.lease;
    this.host.forget(this.lease);
    this.reject(
      unavailable(`The release of lock "${name}" was not answered; its lease runs out by itself`, error, name),
    );
  }
}
