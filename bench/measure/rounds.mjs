import { median, sum } from './statistics.mjs';

/** @import { Figures } from './types.mjs' */

/**
 * Lets all of them take a turn in each round, another one first each time, so that what slows the machine down for a while slows
 * all of them.
 *
 * @template T
 * @template R
 * @param {readonly T[]} contenders
 * @param {number} rounds
 * @param {(contender: T, round: number) => Promise<R>} turn
 * @returns {Promise<Map<T, R[]>>}
 */
export async function interleave(contenders, rounds, turn) {
  /** @type {Map<T, R[]>} */
  const taken = new Map(contenders.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      taken.get(contender)?.push(await turn(contender, round));
    }
  }
  return taken;
}

/**
 * @param {readonly Figures[]} turns
 * @returns {Figures}
 */
export function summarize(turns) {
  const of = (/** @type {Exclude<keyof Figures, 'failure' | 'hot'>} */ name) => turns.map((turn) => turn[name] ?? NaN);
  const middle = (/** @type {Exclude<keyof Figures, 'failure' | 'hot'>} */ name) =>
    median(of(name).filter(Number.isFinite));
  const failure = turns.find((turn) => turn.failure !== undefined)?.failure;
  return {
    rate: middle('rate'),
    handOff50: middle('handOff50'),
    handOff99: middle('handOff99'),
    release50: middle('release50'),
    commands: middle('commands'),
    bytes: middle('bytes'),
    clientCpu: middle('clientCpu'),
    serverCpu: middle('serverCpu'),
    scriptUs: middle('scriptUs'),
    jain: middle('jain'),
    longestWait: Math.max(...of('longestWait')),
    failures: sum(of('failures')),
    violations: sum(of('violations')),
    hop50: middle('hop50'),
    publish50: middle('publish50'),
    ping50: middle('ping50'),
    ...(failure === undefined ? {} : { failure }),
  };
}
