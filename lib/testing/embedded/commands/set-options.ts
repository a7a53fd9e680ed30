import { ErrorReply } from '../resp/reply.js';
import { SYNTAX_ERROR, toInteger } from './arguments.js';

export interface SetOptions {
  onlyNew: boolean;
  onlyOld: boolean;
  /** Answer with the old value. */
  get: boolean;
  keepExpiry: boolean;
  expiresAt: number | undefined;
}

/** Words that name a time: its unit in ms, and whether it counts from now. */
const TIMES: Readonly<Record<string, { unit: number; relative: boolean }>> = {
  PX: { unit: 1, relative: true },
  EX: { unit: 1000, relative: true },
  PXAT: { unit: 1, relative: false },
  EXAT: { unit: 1000, relative: false },
};

/**
 * The words after key and value.
 *
 * @throws ErrorReply
 */
export function readSetOptions(words: readonly string[], now: number): SetOptions {
  const options: SetOptions = { onlyNew: false, onlyOld: false, get: false, keepExpiry: false, expiresAt: undefined };
  for (let i = 0; i < words.length; i++) {
    const word = (words[i] as string).toUpperCase();
    const time = TIMES[word];
    if (word === 'NX') options.onlyNew = true;
    else if (word === 'XX') options.onlyOld = true;
    else if (word === 'GET') options.get = true;
    else if (word === 'KEEPTTL' && options.expiresAt === undefined) options.keepExpiry = true;
    else if (time && words[i + 1] !== undefined && options.expiresAt === undefined && !options.keepExpiry) {
      const amount = toInteger(words[++i]);
      if (amount <= 0) throw new ErrorReply("ERR invalid expire time in 'set' command");
      options.expiresAt = amount * time.unit + (time.relative ? now : 0);
    } else throw new ErrorReply(SYNTAX_ERROR);
  }
  return options;
}
