import { LuaScripts } from '../lua/lua-scripts.js';
import { loadLua } from '../lua/load-lua.js';
import type { Reply } from '../resp/reply.js';
import { Databases } from '../store/databases.js';
import type { Call } from './command.js';
import { PubSub } from './pub-sub.js';
import { runCommand } from './run-command.js';
import { ScriptCache } from './script-cache.js';
import { ServerTime } from './server-time.js';
import { Session, type ByteStream } from './session.js';

/** Runs one command of a client: its words, the name first, as latin1 text. */
export type Execute = (call: Call, words: readonly string[]) => Reply;

export interface ServerCoreOptions {
  /** ms since 1970; asked at every command */
  readonly now: () => number;
  /** Stands between the clients and the commands. */
  readonly wrap?: (execute: Execute) => Execute;
  /** What is compiled in place of the text of a script. */
  readonly patchScript?: (text: string) => string;
}

/** A Redis without a network: data, scripts, channels, and a session for every connection that it is given. */
export class ServerCore {
  readonly time: ServerTime;
  readonly databases: Databases;
  readonly pubSub = new PubSub();
  readonly scripts: ScriptCache;
  private readonly execute: Execute;
  private readonly sessions = new Set<Session>();
  private lastId = 0;

  private constructor(
    private readonly lua: LuaScripts,
    { now, wrap, patchScript }: ServerCoreOptions,
  ) {
    this.time = new ServerTime(now);
    this.databases = new Databases(() => this.time.millis);
    this.scripts = new ScriptCache(lua, patchScript);
    this.execute = wrap ? wrap(runCommand) : runCommand;
  }

  /** @throws LockOptionsError when Lua is not installed */
  static async create(options: ServerCoreOptions): Promise<ServerCore> {
    return new ServerCore(new LuaScripts(await loadLua()), options);
  }

  get connections(): number {
    return this.sessions.size;
  }

  /** Serves a client at the other end of `stream`. */
  handle(stream: ByteStream): void {
    this.sessions.add(new Session(++this.lastId, this, stream));
  }

  /** Runs a command of a session; nothing else happens in the meantime. */
  run(session: Session, words: readonly string[]): Reply {
    this.time.advance();
    const { protocol, database } = session;
    return this.execute({ server: this, session, protocol, keys: this.databases.at(database) }, words);
  }

  /** A session that has ended. */
  drop(session: Session): void {
    this.sessions.delete(session);
  }

  /** Cuts all connections, as a server does that goes down. The data stays. */
  disconnectAll(): void {
    for (const session of [...this.sessions]) session.close();
  }

  /** Ends for good. */
  close(): void {
    this.disconnectAll();
    this.lua.close();
  }
}
