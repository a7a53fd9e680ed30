import type { Command, Commands } from '../server/command.js';
import { slice, toInteger } from './arguments.js';

/** Lists, for data that stands beside the locks in a test. */
export const LIST_COMMANDS: Commands = {
  RPUSH: push((list, value) => list.push(value)),
  LPUSH: push((list, value) => list.unshift(value)),
  RPOP: pop((list) => list.pop()),
  LPOP: pop((list) => list.shift()),
  LLEN: { arity: 2, run: ({ keys }, [key = '']) => keys.read(key, 'list')?.length ?? 0 },
  LRANGE: {
    arity: 4,
    run({ keys }, [key = '', start, stop]) {
      const [from, to] = [toInteger(start), toInteger(stop)];
      return slice(keys.read(key, 'list') ?? [], from, to);
    },
  },
};

function push(add: (list: string[], value: string) => number): Command {
  return {
    arity: -3,
    run: ({ keys }, [key = '', ...values]) =>
      keys.edit(key, 'list', (list) => {
        for (const value of values) add(list, value);
        return list.length;
      }),
  };
}

function pop(take: (list: string[]) => string | undefined): Command {
  return { arity: 2, run: ({ keys }, [key = '']) => keys.edit(key, 'list', (list) => take(list) ?? null) };
}
