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
  const ordered = sections.toSorted((a, b) => a.begin - b.begin || a.end - b.end);
  /** When those who are inside leave. @type {number[]} */
  let inside = [];
  let violations = 0;
  for (const { begin, end } of ordered) {
    inside = inside.filter((leaves) => leaves > begin);
    if (inside.length >= limit) violations += 1;
    inside.push(end);
  }
  return violations;
}

/**
 * From the call of a release to the begin of the next section, which is the hand-off where somebody waits.
 *
 * @param {readonly Section[]} sections of one key with one holder
 */
export function handOffs(sections) {
  const ordered = sections.toSorted((a, b) => a.begin - b.begin);
  return ordered.slice(1).map(({ begin }, i) => begin - (ordered[i]?.end ?? NaN));
}
