import type { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import { luaScripts } from '../../scripts/lua-scripts.generated.js';
import { isUnknownScript } from './failures.js';

export type ScriptName = keyof typeof luaScripts;
export type ScriptArgument = string | number;

export type Done<T> = (result: T) => void;
export type Failed = (error: Error) => void;

interface Script {
  readonly lua: string;
  readonly sha: string;
}

/** One call of a script. */
export interface ScriptCall {
  readonly name: ScriptName;
  readonly keys: readonly string[];
  readonly args: readonly ScriptArgument[];
  /**
   * Asked before the text is sent where the digest was not known: by then a command that was sent later, such as the cancel of
   * this acquire, has been answered already.
   */
  readonly wanted?: (() => boolean) | undefined;
  /** For a node of a Cluster that is about to take over the slot. */
  readonly asking?: boolean;
  /** The text goes out at once: behind a digest that the server does not know, it would come after what is asked for next. */
  readonly inFull?: boolean;
}

/** The scripts, by name. */
export class Scripts {
  private readonly byName: ReadonlyMap<string, Script>;

  /** @param sharded for a Cluster; see lua/includes/wake.lua */
  constructor(sharded: boolean) {
    this.byName = new Map(
      Object.values(luaScripts).map(({ name, lua: text }) => {
        const lua: string = sharded ? text.replace('local sharded = false', 'local sharded = true') : text;
        return [name, { lua, sha: createHash('sha1').update(lua).digest('hex') }];
      }),
    );
  }

  /** Runs a script by its digest, and by its text where the server does not have it (any more). */
  run(
    redis: Redis,
    { name, keys, args, wanted, asking = false, inFull = false }: ScriptCall,
    done: Done<unknown>,
    failed: Failed,
  ): void {
    const { lua, sha } = this.byName.get(name) as Script;
    // In front of each, since it is good for one command only. Its answer says nothing that the next one does not say.
    if (asking) redis.asking().catch(() => undefined);
    if (inFull) return void redis.eval(lua, keys.length, ...keys, ...args).then(done, failed);
    redis.evalsha(sha, keys.length, ...keys, ...args).then(done, (error: Error) => {
      if (!isUnknownScript(error) || wanted?.() === false) return failed(error);
      if (asking) redis.asking().catch(() => undefined);
      redis.eval(lua, keys.length, ...keys, ...args).then(done, failed);
    });
  }
}

export const plainScripts = new Scripts(false);
