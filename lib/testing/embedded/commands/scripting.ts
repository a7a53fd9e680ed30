import { ErrorReply, OK, type Reply } from '../resp/reply.js';
import type { Call, Commands } from '../server/command.js';
import { runFromScript } from '../server/run-command.js';
import { toInteger } from './arguments.js';
import { subcommand } from './subcommand.js';

/** Lua scripts. */
export const SCRIPT_COMMANDS: Commands = {
  EVAL: {
    arity: -3,
    script: false,
    run: (call, [text = '', ...words]) => run(call, call.server.scripts.load(text), words),
  },
  EVALSHA: {
    arity: -3,
    script: false,
    run: (call, [digest = '', ...words]) => run(call, digest.toLowerCase(), words),
  },
  SCRIPT: subcommand(
    'script',
    { script: false },
    {
      LOAD: { arity: 2, run: ({ server }, [text = '']) => server.scripts.load(text) },
      EXISTS: {
        arity: -2,
        run: ({ server }, digests) => digests.map((digest) => (server.scripts.has(digest) ? 1 : 0)),
      },
      FLUSH: {
        arity: -1,
        run({ server }, [mode, ...more]) {
          if (more.length > 0 || (mode !== undefined && !/^a?sync$/i.test(mode))) {
            throw new ErrorReply('ERR SCRIPT FLUSH only support SYNC|ASYNC option');
          }
          server.scripts.flush();
          return OK;
        },
      },
    },
  ),
};

function run(call: Call, digest: string, [count, ...words]: readonly string[]): Reply {
  const keys = toInteger(count);
  if (keys > words.length) throw new ErrorReply("ERR Number of keys can't be greater than number of args");
  if (keys < 0) throw new ErrorReply("ERR Number of keys can't be negative");
  const inner: Call = { ...call, protocol: 2 };
  return call.server.scripts.run(digest, words.slice(0, keys), words.slice(keys), (command) =>
    runFromScript(inner, command),
  );
}
