import type { Grant } from '../engine/holding.interface.js';
import type { LockLostError } from '../errors/index.js';

/** Several grants that are worth something only together. */
export class JointGrant implements Grant {
  private joined: AbortSignal | undefined;

  /** @param grants at least one; the first gives its name */
  constructor(private readonly grants: readonly Grant[]) {}

  get name(): string {
    return this.first.name;
  }

  get token(): string {
    return this.first.token;
  }

  get fence(): number {
    return Math.max(...this.grants.map((grant) => grant.fence));
  }

  get signal(): AbortSignal {
    return (this.joined ??= AbortSignal.any(this.grants.map((grant) => grant.signal)));
  }

  get held(): boolean {
    return this.grants.every((grant) => grant.held);
  }

  get remaining(): number {
    return Math.min(...this.grants.map((grant) => grant.remaining));
  }

  get lost(): LockLostError | undefined {
    return this.grants.find((grant) => grant.lost !== undefined)?.lost;
  }

  onLost(listener: (error: LockLostError) => void): () => void {
    let told = false;
    const tell = (error: LockLostError): void => {
      if (told) return;
      told = true;
      listener(error);
    };
    const ends = this.grants.map((grant) => grant.onLost(tell));
    return () => ends.forEach((end) => end());
  }

  async extend(ttl: number): Promise<void> {
    const answers = await Promise.allSettled(this.grants.map((grant) => grant.extend(ttl)));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private get first(): Grant {
    return this.grants[0] as Grant;
  }
}
