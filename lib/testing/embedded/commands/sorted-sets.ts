import { Double, type Reply } from '../resp/reply.js';
import type { Call, Command, Commands } from '../server/command.js';
import type { Scored } from '../store/sorted-set.js';
import { slice, toInteger } from './arguments.js';
import { inRange, limitOf, readRange, withScores } from './score-range.js';
import { addScored } from './zadd.js';

/** Members ordered by a score. */
export const SORTED_SET_COMMANDS: Commands = {
  ZADD: { arity: -4, run: addScored },
  ZREM: {
    arity: -3,
    run: ({ keys }, [key = '', ...members]) =>
      keys.edit(key, 'zset', (set) => members.filter((member) => set.delete(member)).length),
  },
  ZCARD: { arity: 2, run: ({ keys }, [key = '']) => keys.read(key, 'zset')?.size ?? 0 },
  ZSCORE: {
    arity: 3,
    run({ keys }, [key = '', member = '']) {
      const score = keys.read(key, 'zset')?.score(member);
      return score === undefined ? null : new Double(score);
    },
  },
  ZRANK: { arity: 3, run: ({ keys }, [key = '', member = '']) => keys.read(key, 'zset')?.rank(member) ?? null },
  ZRANGE: byPosition((all) => all),
  ZREVRANGE: byPosition((all) => [...all].reverse()),
  ZRANGEBYSCORE: {
    arity: -4,
    run(call, [key = '', min = '', max = '', ...options]) {
      const { offset, count, rest } = limitOf(options);
      const found = membersBetween(call, key, min, max).slice(offset);
      return listed(call, count < 0 ? found : found.slice(0, count), withScores(rest));
    },
  },
  ZCOUNT: { arity: 4, run: (call, [key = '', min = '', max = '']) => membersBetween(call, key, min, max).length },
  ZREMRANGEBYSCORE: {
    arity: 4,
    run(call, [key = '', min = '', max = '']) {
      const gone = membersBetween(call, key, min, max);
      return call.keys.edit(key, 'zset', (set) => gone.filter(({ member }) => set.delete(member)).length);
    },
  },
};

function byPosition(order: (all: readonly Scored[]) => readonly Scored[]): Command {
  return {
    arity: -4,
    run(call, [key = '', start, stop, ...options]) {
      const scores = withScores(options);
      const [from, to] = [toInteger(start), toInteger(stop)];
      return listed(call, slice(order(call.keys.read(key, 'zset')?.all() ?? []), from, to), scores);
    },
  };
}

function membersBetween({ keys }: Call, key: string, min: string, max: string): Scored[] {
  const range = readRange(min, max);
  return (keys.read(key, 'zset')?.all() ?? []).filter(({ score }) => inRange(score, range));
}

/** In RESP3 each member and its score are a pair. */
function listed({ protocol }: Call, found: readonly Scored[], scores: boolean): Reply {
  if (!scores) return found.map(({ member }) => member);
  const pairs = found.map(({ member, score }) => [member, new Double(score)] as const);
  return protocol === 3 ? pairs : pairs.flat();
}
