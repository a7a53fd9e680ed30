import { wrongNumber } from '../commands/arguments.js';
import { findCommand } from '../commands/index.js';
import { fits } from '../commands/subcommand.js';
import { ErrorReply, type Reply } from '../resp/reply.js';
import type { Call, Command } from './command.js';

/** A command as a client sent it. */
export function runCommand(call: Call, words: readonly string[]): Reply {
  const [name = '', ...args] = words;
  const command = findCommand(name);
  if (!command) return unknown(name, args);
  if (!fits(command.arity, words.length)) return wrongNumber(name);
  if (call.session.listening && call.session.protocol === 2 && !command.whileListening) {
    return new ErrorReply(
      `ERR Can't execute '${name.toLowerCase()}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
    );
  }
  return errorsAsReplies(command, call, args);
}

/** A command of a script. */
export function runFromScript(call: Call, words: readonly string[]): Reply {
  const [name = '', ...args] = words;
  const command = findCommand(name);
  if (!command) return new ErrorReply('ERR Unknown Redis command called from script');
  if (!fits(command.arity, words.length)) {
    return new ErrorReply('ERR Wrong number of args calling Redis command from script');
  }
  if (command.script === false) return new ErrorReply('ERR This Redis command is not allowed from script');
  return errorsAsReplies(command, call, args);
}

function errorsAsReplies(command: Command, call: Call, args: readonly string[]): Reply {
  try {
    return command.run(call, args);
  } catch (error) {
    if (error instanceof ErrorReply) return error;
    throw error;
  }
}

function unknown(name: string, args: readonly string[]): ErrorReply {
  const beginning = args.map((arg) => `'${arg.slice(0, 128)}' `).join('');
  return new ErrorReply(`ERR unknown command '${name.slice(0, 128)}', with args beginning with: ${beginning}`);
}
