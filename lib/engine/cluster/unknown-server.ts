import { Alarm } from '../alarm.js';
import type { ConnectionContext } from '../connection/connection-context.interface.js';
import { UnansweredError } from '../connection/failures.js';
import { ServerClock } from '../connection/server-clock.js';
import type { Link } from '../connection/servers.interface.js';
import type { ClusterTopology } from './cluster-topology.js';

/** In the place of the server of a key, while it is not known which one that is. */
export class UnknownServer implements Link {
  readonly ready = false;
  readonly epoch = 0;
  readonly address = '';
  readonly server: ServerClock;

  constructor(
    private readonly topology: ClusterTopology,
    private readonly context: ConnectionContext,
  ) {
    this.server = new ServerClock(context.clock);
  }

  get down(): boolean {
    return this.topology.down;
  }

  whenReady(): Promise<void> {
    if (this.down) return Promise.reject(this.unanswered());
    const { runtime, clock, commandTimeout } = this.context;
    return new Promise((resolve, reject) => {
      const late = new Alarm(runtime, clock, () => reject(this.unanswered()));
      late.set(clock.now() + commandTimeout);
      this.topology.onceKnown(() => {
        late.clear();
        resolve();
      });
    });
  }

  accepted(): void {
    // Nothing can have been.
  }

  unanswered(): UnansweredError {
    const cause = this.topology.lastError ?? new Error('no node of the Cluster is known to have this key');
    return new UnansweredError('no answer from Redis', { cause });
  }
}
