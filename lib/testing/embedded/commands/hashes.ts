import { Pairs } from '../resp/reply.js';
import type { Commands } from '../server/command.js';
import { addIntegers, toBigInt, wrongNumber } from './arguments.js';

/** Fields and values under one key. */
export const HASH_COMMANDS: Commands = {
  HSET: {
    arity: -4,
    run({ keys }, [key = '', ...pairs]) {
      if (pairs.length % 2 === 1) throw wrongNumber('hset');
      return keys.edit(key, 'hash', (hash) => {
        const before = hash.size;
        for (let i = 0; i < pairs.length; i += 2) hash.set(pairs[i] as string, pairs[i + 1] as string);
        return hash.size - before;
      });
    },
  },
  HGET: { arity: 3, run: ({ keys }, [key = '', field = '']) => keys.read(key, 'hash')?.get(field) ?? null },
  HMGET: {
    arity: -3,
    run({ keys }, [key = '', ...fields]) {
      const hash = keys.read(key, 'hash');
      return fields.map((field) => hash?.get(field) ?? null);
    },
  },
  HGETALL: { arity: 2, run: ({ keys }, [key = '']) => new Pairs([...(keys.read(key, 'hash') ?? [])]) },
  HDEL: {
    arity: -3,
    run: ({ keys }, [key = '', ...fields]) =>
      keys.edit(key, 'hash', (hash) => fields.filter((field) => hash.delete(field)).length),
  },
  HEXISTS: { arity: 3, run: ({ keys }, [key = '', field = '']) => (keys.read(key, 'hash')?.has(field) ? 1 : 0) },
  HLEN: { arity: 2, run: ({ keys }, [key = '']) => keys.read(key, 'hash')?.size ?? 0 },
  HINCRBY: {
    arity: 4,
    run({ keys }, [key = '', field = '', by]) {
      const step = toBigInt(by);
      const old = toBigInt(keys.read(key, 'hash')?.get(field) ?? '0', 'ERR hash value is not an integer');
      const sum = addIntegers(old, step);
      keys.edit(key, 'hash', (hash) => hash.set(field, String(sum)));
      return sum;
    },
  },
};
