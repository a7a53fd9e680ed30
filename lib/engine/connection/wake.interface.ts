import type { RedisKeys } from '../../keys/redis-keys.js';

/** The channel on which this process is told of its grants of one lock. */
export interface Wake {
  /** A waiter that queues now can be pushed. */
  readonly pushable: boolean;
  /** True when `ready()` would not wait. */
  readonly settled: boolean;
  /** Resolves when the channel is confirmed or refused, and after `commandTimeout` at the latest; waiters then poll. */
  ready(): Promise<void>;
  /** Nothing has come for a while, so whoever asks for a lock shall have the server say something; true once in that while. */
  wantsGreeting(): boolean;
  /** The server does not see us, or a message did not come: makes sure that the connection is alive. */
  verify(): void;
  /** The server does not know our subscription any more. */
  reopen(): void;
  refuse(reason: string): void;
}

/** What the channels tell. */
export interface WakeHost {
  /** @param address of the server that sent it; see `Link.address` */
  receive(message: string, address: string): void;
  /**
   * A channel works (again), and what may have been missed is to be asked for; or it works no more, and the server must hear
   * that those who wait will look by themselves, or it passes them over.
   */
  changed(): void;
  /** Somebody in this process waits: asked at every heartbeat, since an idle process sends none. */
  readonly waiting: boolean;
}

/** The channels of one engine: one for all locks, or in a Cluster one for each that is waited for. */
export interface Wakes {
  of(keys: RedisKeys): Wake;
  close(): void;
}
