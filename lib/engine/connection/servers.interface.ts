import type { LockKind } from '../../interfaces/lock-kind.type.js';
import type { Answer, CommandConnection } from './command-connection.js';
import type { UnansweredError } from './failures.js';
import type { LockCall } from './lock-calls.js';
import type { ScriptArgument, ScriptName } from './scripts.js';
import type { ServerClock } from './server-clock.js';

/** What is known of the server that has a key, and of the connection to it. */
export interface Link {
  /** Commands can be sent. */
  readonly ready: boolean;
  /** The last attempt to connect failed. */
  readonly down: boolean;
  /** Counts connections: what was learnt on one says nothing about the next. */
  readonly epoch: number;
  readonly server: ServerClock;
  /** Which server it is: messages of another one cannot be dated by the clock of this one. */
  readonly address: string;
  /** Resolves when commands can be sent; rejects when the connection is known to be down, and after `commandTimeout`. */
  whenReady(): Promise<void>;
  /** The server took what only a master takes. */
  accepted(): void;
  /** Why nothing came back. */
  unanswered(): UnansweredError;
}

/** Arguments that depend on the clock of the server that gets them. */
export type ScriptArguments = (server: ServerClock) => readonly ScriptArgument[];

/** The servers that keep the locks of one engine: one, or the masters of a Cluster. */
export interface Servers {
  /** A server can be asked (again): what waits for an answer is to be sent anew. */
  onReady: () => void;
  /** Begins to connect; later calls do nothing. */
  open(): void;
  close(): void;
  /** The server that has this key now. */
  of(owner: string): Link;
  /** True while some server can be asked. */
  readonly anyReady: boolean;
  /**
   * Runs a script on the server that has these keys.
   *
   * @param wanted asked before a script is sent once more; see `ScriptCall.wanted`
   */
  run(name: ScriptName, keys: readonly string[], args: ScriptArguments, wanted?: () => boolean): Promise<Answer>;
  /** Takes a lock, in one command with what else is asked for and given back in this tick, where the server allows that. */
  acquire(kind: LockKind, call: LockCall): void;
  /** Gives a lock back, in front of what is asked for of its kind in this tick; not before an earlier acquire of the same lock. */
  release(kind: LockKind, call: LockCall): void;
  /** As `whenReady` of the server that has this key. */
  whenReady(owner: string): Promise<void>;
  /** Keys for which this is the same may stand in one script call. */
  batchOf(owner: string): string;
  /** The server that has this key now, under a name that never means another one. */
  siteOf(owner: string): string;
  /**
   * A connection of its own to that server, not yet opened; closed with the others.
   *
   * @throws UnansweredError when there is no such server any more
   */
  connect(site: string, name: string): CommandConnection;
  /**
   * After an error on such a connection.
   *
   * @returns true when it says that a key has another server now: then it is worth another try, there
   */
  follow(error: unknown, from: Link): Promise<boolean>;
}
