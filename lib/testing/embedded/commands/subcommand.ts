import { ErrorReply } from '../resp/reply.js';
import type { Command, Commands } from '../server/command.js';
import { wrongNumber } from './arguments.js';

/** A command whose first word says what it does. The arity of each counts that word, not the name in front. */
export function subcommand(name: string, traits: Omit<Command, 'arity' | 'run'>, all: Commands): Command {
  return {
    ...traits,
    arity: -2,
    run(call, [word = '', ...args]) {
      const found = Object.hasOwn(all, word.toUpperCase()) ? all[word.toUpperCase()] : undefined;
      if (!found) throw new ErrorReply(`ERR unknown subcommand '${word}'. Try ${name.toUpperCase()} HELP.`);
      if (!fits(found.arity, args.length + 1)) throw wrongNumber(`${name}|${word}`);
      return found.run(call, args);
    },
  };
}

export function fits(arity: number, words: number): boolean {
  return arity < 0 ? words >= -arity : words === arity;
}
