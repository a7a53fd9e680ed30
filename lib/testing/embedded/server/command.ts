import type { Protocol } from '../resp/encode-reply.js';
import type { Reply } from '../resp/reply.js';
import type { Keyspace } from '../store/keyspace.js';
import type { ServerCore } from './server-core.js';
import type { Session } from './session.js';

/** Where a command runs. */
export interface Call {
  readonly server: ServerCore;
  readonly keys: Keyspace;
  readonly session: Session;
  /** In which the answer will be read; scripts always speak RESP2. */
  readonly protocol: Protocol;
}

export interface Command {
  /** Number of words with the name; at least so many where it is negative. */
  readonly arity: number;
  /** May a script call it? Yes by default. */
  readonly script?: boolean;
  /** May a RESP2 connection that listens to channels send it? No by default. */
  readonly whileListening?: boolean;
  /** @throws ErrorReply */
  readonly run: (call: Call, args: readonly string[]) => Reply;
}

/** Commands by their names in upper case. */
export type Commands = Readonly<Record<string, Command>>;
