import { ErrorReply, OK, Status } from '../resp/reply.js';
import type { Commands } from '../server/command.js';
import { SYNTAX_ERROR, toInteger } from './arguments.js';
import { globToRegExp } from './glob.js';

/** Keys of any type. */
export const KEY_COMMANDS: Commands = {
  DEL: { arity: -2, run: ({ keys }, names) => names.filter((key) => keys.delete(key)).length },
  UNLINK: { arity: -2, run: ({ keys }, names) => names.filter((key) => keys.delete(key)).length },
  EXISTS: { arity: -2, run: ({ keys }, names) => names.filter((key) => keys.get(key)).length },
  TYPE: { arity: 2, run: ({ keys }, [key = '']) => new Status(keys.get(key)?.type ?? 'none') },
  DBSIZE: { arity: 1, run: ({ keys }) => keys.keys().length },
  KEYS: {
    arity: 2,
    run({ keys }, [pattern = '']) {
      const wanted = globToRegExp(pattern);
      return keys.keys().filter((key) => wanted.test(key));
    },
  },
  SCAN: {
    arity: -2,
    // All at once, which the cursor 0 says.
    run({ keys }, [cursor, ...options]) {
      toInteger(cursor, 'ERR invalid cursor');
      return ['0', keys.keys().filter(scanFilter(options, (key) => keys.get(key)?.type))];
    },
  },
  FLUSHALL: {
    arity: -1,
    run({ server }, options) {
      checkFlush(options);
      server.databases.clear();
      return OK;
    },
  },
  FLUSHDB: {
    arity: -1,
    run({ keys }, options) {
      checkFlush(options);
      keys.clear();
      return OK;
    },
  },
};

function checkFlush([mode, ...more]: readonly string[]): void {
  if (more.length > 0 || (mode !== undefined && !/^a?sync$/i.test(mode))) throw new ErrorReply(SYNTAX_ERROR);
}

function scanFilter(options: readonly string[], typeOf: (key: string) => string | undefined): (key: string) => boolean {
  let pattern = /^/;
  let type: string | undefined;
  for (let i = 0; i < options.length; i += 2) {
    const value = options[i + 1];
    if (value === undefined) throw new ErrorReply(SYNTAX_ERROR);
    switch ((options[i] as string).toUpperCase()) {
      case 'MATCH':
        pattern = globToRegExp(value);
        break;
      case 'COUNT':
        toInteger(value);
        break;
      case 'TYPE':
        type = value.toLowerCase();
        break;
      default:
        throw new ErrorReply(SYNTAX_ERROR);
    }
  }
  return (key) => pattern.test(key) && (type === undefined || typeOf(key) === type);
}
