import { describe, expect, it } from '@jest/globals';
import { isDemotion, isPassing } from '../../../lib/engine/connection/failures.js';

/** What Redis says of a command inside a script: since version 7, and before. */
const inScript = (text: string): [string, string] => [
  `${text} script: e7bec30be610312595d0f2dd3abffe1ff05bd2ac, on @user_script:12.`,
  `ERR Error running script (call to f_e7bec30be610312595d0f2dd3abffe1ff05bd2ac): @user_script:12: @user_script: 12: -${text}`,
];

const READONLY = "READONLY You can't write against a read only replica.";
const OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'.";

describe('an error of a server', () => {
  it.each([READONLY, ...inScript(READONLY), 'UNBLOCKED force unblock from blocking operation'])(
    'is that of a demoted master, which another connection may get round: %s',
    (text) => {
      expect(isDemotion(new Error(text))).toBe(true);
      expect(isPassing(new Error(text))).toBe(true);
    },
  );

  it.each([
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    'LOADING Redis is loading the dataset in memory',
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    ...inScript('NOREPLICAS Not enough good replicas to write.'),
  ])('passes: %s', (text) => {
    expect(isPassing(new Error(text))).toBe(true);
    expect(isDemotion(new Error(text))).toBe(false);
  });

  it.each([
    ...inScript(OUT_OF_MEMORY),
    ...inScript('WRONGTYPE Operation against a key holding the wrong kind of value READONLY'),
    "NOPERM this user has no permissions to run the 'evalsha' command",
    'ERR no such thing as READONLY or BUSY',
    'BUSYKEY Target key name already exists.',
  ])('stays: %s', (text) => {
    expect(isPassing(new Error(text))).toBe(false);
    expect(isDemotion(new Error(text))).toBe(false);
  });
});
