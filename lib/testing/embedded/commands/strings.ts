import { ErrorReply, OK } from '../resp/reply.js';
import type { Call, Command, Commands } from '../server/command.js';
import { addIntegers, SYNTAX_ERROR, toBigInt } from './arguments.js';
import { readSetOptions } from './set-options.js';

/** Strings, and whole numbers kept as such. */
export const STRING_COMMANDS: Commands = {
  GET: { arity: 2, run: ({ keys }, [key = '']) => keys.read(key, 'string') ?? null },
  SET: { arity: -3, run: set },
  SETNX: {
    arity: 3,
    run({ keys }, [key = '', value = '']) {
      if (keys.get(key)) return 0;
      keys.put(key, value);
      return 1;
    },
  },
  GETDEL: {
    arity: 2,
    run({ keys }, [key = '']) {
      const value = keys.read(key, 'string') ?? null;
      keys.delete(key);
      return value;
    },
  },
  MGET: {
    arity: -2,
    run: ({ keys }, names) =>
      names.map((key) => {
        const entry = keys.get(key);
        return entry?.type === 'string' ? (entry.value as string) : null;
      }),
  },
  STRLEN: { arity: 2, run: ({ keys }, [key = '']) => keys.read(key, 'string')?.length ?? 0 },
  INCR: { arity: 2, run: (call, [key = '']) => add(call, key, 1n) },
  DECR: { arity: 2, run: (call, [key = '']) => add(call, key, -1n) },
  INCRBY: { arity: 3, run: (call, [key = '', by]) => add(call, key, toBigInt(by)) },
  DECRBY: { arity: 3, run: (call, [key = '', by]) => add(call, key, -toBigInt(by)) },
};

function set({ server, keys }: Call, [key = '', value = '', ...words]: readonly string[]): ReturnType<Command['run']> {
  const options = readSetOptions(words, server.time.millis);
  if (options.onlyNew && options.onlyOld) throw new ErrorReply(SYNTAX_ERROR);
  const old = keys.get(key);
  const answer = options.get ? (keys.read(key, 'string') ?? null) : OK;
  if (options.onlyNew ? old : options.onlyOld && !old) return options.get ? answer : null;
  keys.put(key, value, options.keepExpiry ? old?.expiresAt : options.expiresAt);
  return answer;
}

function add({ keys }: Call, key: string, by: bigint): bigint {
  const sum = addIntegers(toBigInt(keys.read(key, 'string') ?? '0'), by);
  keys.put(key, String(sum), keys.get(key)?.expiresAt);
  return sum;
}
