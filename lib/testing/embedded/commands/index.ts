import type { Command, Commands } from '../server/command.js';
import { CONNECTION_COMMANDS } from './connection.js';
import { EXPIRY_COMMANDS } from './expiry.js';
import { HASH_COMMANDS } from './hashes.js';
import { KEY_COMMANDS } from './keys.js';
import { LIST_COMMANDS } from './lists.js';
import { PUB_SUB_COMMANDS } from './pub-sub.js';
import { SCRIPT_COMMANDS } from './scripting.js';
import { SERVER_COMMANDS } from './server.js';
import { SORTED_SET_COMMANDS } from './sorted-sets.js';
import { STRING_COMMANDS } from './strings.js';

const COMMANDS: Commands = {
  ...CONNECTION_COMMANDS,
  ...EXPIRY_COMMANDS,
  ...HASH_COMMANDS,
  ...KEY_COMMANDS,
  ...LIST_COMMANDS,
  ...PUB_SUB_COMMANDS,
  ...SCRIPT_COMMANDS,
  ...SERVER_COMMANDS,
  ...SORTED_SET_COMMANDS,
  ...STRING_COMMANDS,
};

export function findCommand(name: string): Command | undefined {
  const key = name.toUpperCase();
  return Object.hasOwn(COMMANDS, key) ? COMMANDS[key] : undefined;
}
