import { createHash } from 'node:crypto';
import { luaScripts } from '../../lib/scripts/lua-scripts.generated.js';
import type { Matcher } from './proxy-link.js';
import type { RedisUnderTest } from './use-redis.js';

/** From now on every script is asked for by its digest. */
export async function loadScripts({ client }: RedisUnderTest): Promise<void> {
  for (const { lua } of Object.values(luaScripts)) {
    await client.script('LOAD', lua);
  }
}

/** Matches requests that run this script, once the scripts are loaded. */
export function asksFor(name: keyof typeof luaScripts): Matcher {
  const { lua } = luaScripts[name];
  const sha = createHash('sha1').update(lua).digest('hex');
  return (piece) => piece.includes(sha);
}
