import { ErrorReply } from '../resp/reply.js';
import type { Call } from '../server/command.js';
import type { SortedSet } from '../store/sorted-set.js';
import { SYNTAX_ERROR, toFloat } from './arguments.js';

type Flag = 'NX' | 'XX' | 'GT' | 'LT' | 'CH';

const FLAGS: ReadonlySet<string> = new Set<Flag>(['NX', 'XX', 'GT', 'LT', 'CH']);

export function addScored({ keys }: Call, [key = '', ...words]: readonly string[]): number {
  const begin = words.findIndex((word) => !FLAGS.has(word.toUpperCase()));
  const flags = new Set(words.slice(0, Math.max(0, begin)).map((word) => word.toUpperCase() as Flag));
  const pairs = begin < 0 ? [] : words.slice(begin);
  checkFlags(flags, pairs);
  const scored = Array.from({ length: pairs.length / 2 }, (_, i) => ({
    score: toFloat(pairs[i * 2] as string),
    member: pairs[i * 2 + 1] as string,
  }));
  return keys.edit(key, 'zset', (set) => {
    let counted = 0;
    for (const { member, score } of scored) counted += put(set, member, score, flags) ? 1 : 0;
    return counted;
  });
}

function checkFlags(flags: ReadonlySet<Flag>, pairs: readonly string[]): void {
  if (pairs.length === 0 || pairs.length % 2 === 1) throw new ErrorReply(SYNTAX_ERROR);
  if (flags.has('NX') && flags.has('XX')) {
    throw new ErrorReply('ERR XX and NX options at the same time are not compatible');
  }
  if ([flags.has('GT'), flags.has('LT'), flags.has('NX')].filter(Boolean).length > 1) {
    throw new ErrorReply('ERR GT, LT, and/or NX options at the same time are not compatible');
  }
}

/** @returns whether it counts */
function put(set: SortedSet, member: string, score: number, flags: ReadonlySet<Flag>): boolean {
  const old = set.score(member);
  if (old === undefined) {
    if (flags.has('XX')) return false;
    set.put(member, score);
    return true;
  }
  const stays = flags.has('NX') || (flags.has('GT') && score <= old) || (flags.has('LT') && score >= old);
  if (stays || score === old) return false;
  set.put(member, score);
  return flags.has('CH');
}
