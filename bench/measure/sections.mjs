/**
 * @typedef {object} Section one run of the work under a lock, on the clock of the machine, ms
 * @property {number} begin its first line ran
 * @property {number} end its last line ran: what follows is the release
 */

/**
 * How often somebody entered although as many as may were inside already.
 *
 * @param {readonly Section[]} sections of one key, of all processes, in any order
 * @param {number} [limit]
 */
export function countViolations(sections, limit = 1) {
  const steps = sections.flatMap(({ begin, end }) => [
    { at: begin, by: 1 },
    { at: end, by: -1 },
  ]);
  // Who leaves in the very moment in which another enters was not inside with it.
  steps.sort((a, b) => a.at - b.at || a.by - b.by);
  let inside = 0;
  let violations = 0;
  for (const { by } of steps) {
    inside += by;
    if (by > 0 && inside > limit) violations += 1;
  }
  return violations;
}

/**
 * From the call of a release to the begin of the next section, which is the hand-off where somebody waits.
 *
 * @param {readonly Section[]} sections of one key with one holder
 * @param {(from: number, to: number) => boolean} [counts] by the places of the two in the list
 */
export function handOffs(sections, counts = () => true) {
  const order = sections.map((_, i) => i).sort((a, b) => at(sections, a).begin - at(sections, b).begin);
  /** @type {number[]} */
  const gaps = [];
  for (let i = 1; i < order.length; i += 1) {
    const [from, to] = [Number(order[i - 1]), Number(order[i])];
    if (counts(from, to)) gaps.push(at(sections, to).begin - at(sections, from).end);
  }
  return gaps;
}

/**
 * @param {readonly Section[]} sections
 * @param {number} index
 */
const at = (sections, index) => /** @type {Section} */ (sections[index]);
