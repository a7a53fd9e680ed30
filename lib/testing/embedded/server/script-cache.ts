import { digestOf, type LuaScripts, type ScriptCall } from '../lua/lua-scripts.js';
import { ErrorReply, type Reply } from '../resp/reply.js';

/** Texts of scripts by their digests, as EVAL and SCRIPT LOAD leave them. */
export class ScriptCache {
  private readonly known = new Map<string, number>();
  /** Stays when the cache is dropped: to compile a text again would only leave the old one in memory. */
  private readonly compiled = new Map<string, number>();

  /** @param patch what is compiled in place of a text, for tests that break a script on purpose */
  constructor(
    private readonly lua: LuaScripts,
    private readonly patch: (text: string) => string = (text) => text,
  ) {}

  /** @throws ErrorReply when the text is no Lua */
  load(text: string): string {
    const digest = digestOf(text);
    if (!this.known.has(digest)) this.known.set(digest, this.compile(digest, text));
    return digest;
  }

  has(digest: string): boolean {
    return this.known.has(digest);
  }

  /** @throws ErrorReply */
  run(digest: string, keys: readonly string[], args: readonly string[], call: ScriptCall): Reply {
    const script = this.known.get(digest);
    if (script === undefined) throw new ErrorReply('NOSCRIPT No matching script. Please use EVAL.');
    return this.lua.run(script, digest, keys, args, call);
  }

  /** Forgets all scripts, as SCRIPT FLUSH and a restart do. */
  flush(): void {
    this.known.clear();
  }

  private compile(digest: string, text: string): number {
    const script = this.compiled.get(digest) ?? this.lua.compile(this.patch(text));
    this.compiled.set(digest, script);
    return script;
  }
}
