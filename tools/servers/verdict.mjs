/**
 * @typedef {object} LineResult what became of one line of servers
 * @property {string} name
 * @property {string} [version] of the server that was tested
 * @property {number} [passed]
 * @property {number} [failed]
 * @property {string} [reason] why it was not tested
 */

/** Fewer than that say nothing about other servers than the usual one. */
const FEWEST_IN_CI = 2;

/**
 * @param {readonly LineResult[]} results
 * @param {boolean} ci whether somebody relies on the servers being there
 * @returns {{ lines: string[], ok: boolean }} the last line has the counts
 */
export function verdictOf(results, ci) {
  const tested = results.filter(({ reason }) => reason === undefined);
  const missing = ci ? Math.max(0, FEWEST_IN_CI - tested.length) : 0;
  const passed = sum(tested.map((result) => result.passed ?? 0));
  const failed = sum(tested.map((result) => result.failed ?? 0)) + missing;
  const lines = results.map(({ name, version, reason, passed: good = 0, failed: bad = 0 }) => {
    if (reason !== undefined) return `not tested: ${name} (${reason})`;
    return `${bad > 0 ? 'FAIL' : 'ok  '} ${name}: ${version}, ${good} passed, ${bad} failed`;
  });
  if (missing > 0) lines.push(`FAIL at least ${FEWEST_IN_CI} servers have to be tested here`);
  return { lines: [...lines, `${passed} passed, ${failed} failed`], ok: failed === 0 };
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
