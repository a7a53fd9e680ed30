/** @import { Section } from './verdicts.mjs' */

const FREE = '·';
const INSIDE = '█';
const CROSSING = '×';

/**
 * @typedef {object} Timeline
 * @property {number} from ms
 * @property {number} to ms
 * @property {number} width columns
 */

/**
 * One lane of text: which moments of it were inside a section. A column tells
 * about the moment in its middle, so that two sections that do not overlap
 * never share one.
 *
 * @param {readonly Section[]} sections
 * @param {Timeline} timeline
 * @param {(inside: readonly Section[], first: boolean) => string} mark
 * @returns {string}
 */
export function drawLane(sections, { from, to, width }, mark) {
  const column = (to - from) / width;
  let before = /** @type {Section | undefined} */ (undefined);
  let lane = '';
  for (let index = 0; index < width; index += 1) {
    const at = from + (index + 0.5) * column;
    const inside = sections.filter(({ enter, leave }) => enter <= at && at < leave);
    lane += inside.length === 0 ? FREE : mark(inside, inside[0] !== before);
    before = inside[0];
  }
  return lane;
}

/**
 * How many are inside: a block for one, a digit for more.
 *
 * @param {readonly Section[]} inside
 */
export const crowd = (inside) => (inside.length === 1 ? INSIDE : inside.length > 9 ? '+' : `${inside.length}`);

/**
 * How many are inside, as a digit.
 *
 * @param {readonly Section[]} inside
 */
export const count = (inside) => (inside.length > 9 ? '+' : `${inside.length}`);

/**
 * Who is inside: the number of arrival (1-9, then a, b, c), drawn out.
 *
 * @param {readonly Section[]} inside
 * @param {boolean} first
 */
export function arrivals(inside, first) {
  if (inside.length > 1) return CROSSING;
  return first ? (inside[0]?.arrival ?? 0).toString(36) : '━';
}

/**
 * The stretch of so many sections in which the lock moves most often from one
 * process to another.
 *
 * @param {readonly Section[]} sections in the order of entering
 * @param {number} most
 * @returns {readonly Section[]}
 */
export function liveliest(sections, most) {
  let best = sections.slice(0, most);
  for (let start = 1; start + most <= sections.length; start += 1) {
    const stretch = sections.slice(start, start + most);
    if (countMoves(stretch) > countMoves(best)) best = stretch;
  }
  return best;
}

/** @param {readonly Section[]} sections */
const countMoves = (sections) =>
  sections.filter(({ pid }, index) => index > 0 && sections[index - 1]?.pid !== pid).length;

/**
 * @param {readonly Section[]} sections
 * @returns {{ from: number, to: number }} ms; an endless section does not count
 */
export function spanOf(sections) {
  const ends = sections.map(({ enter, leave }) => (leave === Infinity ? enter : leave));
  return {
    from: Math.min(...sections.map(({ enter }) => enter)),
    to: Math.max(...ends),
  };
}
