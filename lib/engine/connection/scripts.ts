import type { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import { luaScripts } from '../../scripts/lua-scripts.generated.js';

export type ScriptName = keyof typeof luaScripts;
export type ScriptArgument = string | number;

interface Script {
  lua: string;
  sha: string;
}

const scripts = new Map<string, Script>(
  Object.values(luaScripts).map(({ name, lua }) => [name, { lua, sha: createHash('sha1').update(lua).digest('hex') }]),
);

/**
 * Runs a script by its digest, and by its text where the server does not have it (any more).
 *
 * @param wanted asked before the text is sent: by then a command that was sent later, such as the cancel of this acquire, has
 * been answered already
 */
export async function runScript(
  redis: Redis,
  name: ScriptName,
  keys: readonly string[],
  args: readonly ScriptArgument[],
  wanted?: () => boolean,
): Promise<unknown> {
  const { lua, sha } = scripts.get(name) as Script;
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT') || wanted?.() === false) throw error;
    return redis.eval(lua, keys.length, ...keys, ...args);
  }
}
