import { DATABASES } from '../store/databases.js';
import { ErrorReply, OK, Pairs, Status, type Reply } from '../resp/reply.js';
import type { Call, Commands } from '../server/command.js';
import { SERVER_VERSION } from '../server/version.js';
import { SYNTAX_ERROR, toInteger, wrongNumber } from './arguments.js';
import { subcommand } from './subcommand.js';

const NO_PASSWORD =
  'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?';
const WRONG_PASSWORD = 'WRONGPASS invalid username-password pair or user is disabled.';

/** What a client says of itself and its connection. */
export const CONNECTION_COMMANDS: Commands = {
  PING: { arity: -1, whileListening: true, run: ping },
  ECHO: { arity: 2, run: (_, [text = '']) => text },
  HELLO: { arity: -1, script: false, run: hello },
  AUTH: {
    arity: -2,
    script: false,
    run(_, words) {
      if (words.length > 2) throw new ErrorReply(SYNTAX_ERROR);
      if (words.length === 1) throw new ErrorReply(NO_PASSWORD);
      return authenticate(words[0]);
    },
  },
  SELECT: {
    arity: 2,
    script: false,
    run({ session }, [index]) {
      const database = toInteger(index);
      if (database < 0 || database >= DATABASES) throw new ErrorReply('ERR DB index is out of range');
      session.database = database;
      return OK;
    },
  },
  CLIENT: subcommand(
    'client',
    { script: false },
    {
      ID: { arity: 1, run: ({ session }) => session.id },
      SETNAME: {
        arity: 2,
        run({ session }, [name = '']) {
          session.name = name;
          return OK;
        },
      },
      GETNAME: { arity: 1, run: ({ session }) => session.name || null },
      SETINFO: { arity: 3, run: () => OK },
    },
  ),
  QUIT: {
    arity: -1,
    script: false,
    whileListening: true,
    run({ session }) {
      session.endAfterReply();
      return OK;
    },
  },
  RESET: {
    arity: 1,
    script: false,
    whileListening: true,
    run({ session }) {
      session.reset();
      return new Status('RESET');
    },
  },
};

function ping({ session }: Call, [text, ...more]: readonly string[]): Reply {
  if (more.length > 0) throw wrongNumber('ping');
  return session.pong(text);
}

function authenticate(user: string | undefined): Reply {
  if (user !== 'default') throw new ErrorReply(WRONG_PASSWORD);
  return OK;
}

function hello({ session }: Call, [version, ...options]: readonly string[]): Reply {
  if (version !== undefined) {
    const protocol = toInteger(version, 'ERR Protocol version is not an integer or out of range');
    if (protocol !== 2 && protocol !== 3) throw new ErrorReply('NOPROTO unsupported protocol version');
    readHelloOptions(options, session);
    session.protocol = protocol;
  }
  return new Pairs([
    ['server', 'redis'],
    ['version', SERVER_VERSION],
    ['proto', session.protocol],
    ['id', session.id],
    ['mode', 'standalone'],
    ['role', 'master'],
    ['modules', []],
  ]);
}

function readHelloOptions(options: readonly string[], session: Call['session']): void {
  for (let i = 0; i < options.length;) {
    const option = (options[i] as string).toUpperCase();
    if (option === 'AUTH' && options.length > i + 2) {
      authenticate(options[i + 1]);
      i += 3;
    } else if (option === 'SETNAME' && options.length > i + 1) {
      session.name = options[i + 1] as string;
      i += 2;
    } else {
      throw new ErrorReply(`ERR Syntax error in HELLO option '${options[i]}'`);
    }
  }
}
