import { createHash } from 'node:crypto';
import { luaScripts } from '../../lib/scripts/lua-scripts.generated.js';
import type { Matcher } from './proxy-link.js';
import type { RedisUnderTest } from './use-redis.js';

export type ScriptName = keyof typeof luaScripts;

const ALL = Object.keys(luaScripts) as ScriptName[];

/** From now on these scripts are asked for by their digest only. */
export async function loadScripts({ client }: RedisUnderTest, names = ALL): Promise<void> {
  for (const name of names) await client.script('LOAD', luaScripts[name].lua);
}

/** Matches requests that run this script, once it is loaded. */
export function asksFor(name: ScriptName): Matcher {
  const sha = createHash('sha1').update(luaScripts[name].lua).digest('hex');
  return (piece) => piece.includes(sha);
}
