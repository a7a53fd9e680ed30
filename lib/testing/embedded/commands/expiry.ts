import { ErrorReply } from '../resp/reply.js';
import type { Call, Command, Commands } from '../server/command.js';
import { toInteger } from './arguments.js';

/** When keys end. */
export const EXPIRY_COMMANDS: Commands = {
  PTTL: { arity: 2, run: (call, [key = '']) => timeLeft(call, key) },
  TTL: {
    arity: 2,
    run(call, [key = '']) {
      const left = timeLeft(call, key);
      return left < 0 ? left : Math.floor((left + 500) / 1000);
    },
  },
  PEXPIRE: expire('pexpire', 1, true),
  EXPIRE: expire('expire', 1000, true),
  PEXPIREAT: expire('pexpireat', 1, false),
  EXPIREAT: expire('expireat', 1000, false),
  PERSIST: {
    arity: 2,
    run({ keys }, [key = '']) {
      const entry = keys.get(key);
      if (entry?.expiresAt === undefined) return 0;
      entry.expiresAt = undefined;
      return 1;
    },
  },
};

function timeLeft({ server, keys }: Call, key: string): number {
  const entry = keys.get(key);
  if (!entry) return -2;
  return entry.expiresAt === undefined ? -1 : entry.expiresAt - server.time.millis;
}

/**
 * @param unit of the argument, ms
 * @param relative to now
 */
function expire(name: string, unit: number, relative: boolean): Command {
  return {
    arity: -3,
    run({ server, keys }, [key = '', time, option]) {
      const at = toInteger(time) * unit + (relative ? server.time.millis : 0);
      if (!Number.isSafeInteger(at)) throw new ErrorReply(`ERR invalid expire time in '${name}' command`);
      if (option !== undefined) throw new ErrorReply(`ERR Unsupported option ${option}`);
      const entry = keys.get(key);
      if (!entry) return 0;
      if (at <= server.time.millis) keys.delete(key);
      else entry.expiresAt = at;
      return 1;
    },
  };
}
