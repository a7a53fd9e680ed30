import { type CheckValue, wrongValue } from './check-value.js';
import { DEFAULT_REPLICA_TIMEOUT } from './defaults.js';
import { parseDuration } from './parse-duration.js';
import type { ReplicaQuorum } from './settings.interface.js';
import { unknownOption } from './unknown-option.js';

const PARTS: ReadonlySet<string> = new Set(['min', 'timeout']);

/** Redis would take a timeout of 0 as none at all. */
const MIN_TIMEOUT = 1;

/** Beyond this a number is no text that Redis reads. */
const MOST_REPLICAS = 2 ** 31 - 1;

export const checkReplicas: CheckValue = (value, option, where): ReplicaQuorum => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongValue(value, option, where, "it must be an object, such as { min: 1, timeout: '500ms' }");
  }
  const strange = Object.keys(value).find((part) => !PARTS.has(part));
  if (strange !== undefined) throw unknownOption(strange, `${where}: ${option}`, PARTS);
  const { min, timeout = DEFAULT_REPLICA_TIMEOUT } = value as { min?: unknown; timeout?: unknown };
  if (!Number.isInteger(min) || (min as number) < 1 || (min as number) > MOST_REPLICAS) {
    throw wrongValue(min, `${option}.min`, where, 'it must be a whole number of at least 1');
  }
  return {
    min: min as number,
    timeout: parseDuration(timeout, { option: `${option}.timeout`, where, min: MIN_TIMEOUT }),
  };
};
