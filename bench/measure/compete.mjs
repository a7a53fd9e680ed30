import { interleave, summarize } from './rounds.mjs';
import { takeTurn } from './turn.mjs';

/**
 * @import { Contender } from '../contenders/types.mjs'
 * @import { Bench, Load, Row } from './types.mjs'
 *
 * @typedef {object} Entrant
 * @property {Contender} contender
 * @property {Load} load
 * @property {string} [title]
 */

/** Seconds before the first round, so that no contender is compiled in a turn that counts; in a full run at least a turn. */
const FIRST = 0.2;

/**
 * Rows of the entrants, all under the same load or each under its own.
 *
 * @param {Bench} bench
 * @param {readonly Entrant[]} entrants
 * @param {{ url?: string, seconds?: number }} [how]
 * @returns {Promise<Row[]>}
 */
export async function compete({ url: direct, pool, counters, options }, entrants, how = {}) {
  const { url = direct, seconds = options.seconds } = how;
  /** @type {Map<Entrant, string>} */
  const broken = new Map();
  /** @param {Entrant} entrant @param {number} time */
  const turn = async (entrant, time) => {
    if (broken.has(entrant)) return [];
    const { contender, load } = entrant;
    try {
      const workers = await pool.workers(contender, load.processes, url);
      return [await takeTurn(contender, workers, counters, load, time)];
    } catch (error) {
      broken.set(entrant, /** @type {Error} */ (error).message);
      return [];
    }
  };
  // Side by side, since a start is mostly waiting; who does not come up says so in its turn.
  await Promise.allSettled(entrants.map(({ contender, load }) => pool.workers(contender, load.processes, url)));
  for (const entrant of entrants) {
    await turn(entrant, Math.max(entrant.load.first ?? FIRST, options.full ? seconds : 0));
  }
  const taken = await interleave(entrants, options.rounds, (entrant) => turn(entrant, seconds));
  /** @type {Map<Entrant, import('./profile.mjs').Hot[]>} */
  const hot = new Map();
  for (const entrant of options.profile ? entrants.filter(({ contender }) => contender.kind === 'ours') : []) {
    const [figures] = await turn({ ...entrant, load: { ...entrant.load, profile: true } }, seconds);
    if (figures?.hot !== undefined) hot.set(entrant, figures.hot);
  }
  return entrants.map((entrant) => {
    const turns = (taken.get(entrant) ?? []).flat();
    const { contender, title = contender.title } = entrant;
    const reason = broken.get(entrant);
    if (reason !== undefined) return { contender, title, broken: reason };
    const where = hot.get(entrant);
    return { contender, title, figures: summarize(turns), ...(where === undefined ? {} : { hot: where }) };
  });
}
