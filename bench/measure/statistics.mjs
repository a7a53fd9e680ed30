/**
 * @param {Iterable<number>} values
 * @param {number} share between 0 and 1
 * @returns {number} NaN of nothing
 */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? sorted[0] ?? NaN;
}

/** The mean of the two in the middle where there is no middle. @param {Iterable<number>} values */
export function median(values) {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? NaN) + (sorted[Math.floor(half)] ?? NaN)) / 2;
}

/**
 * Jain's index of fairness: 1 when all get the same, 1/n when one of n gets all.
 *
 * @param {readonly number[]} shares
 */
export function jain(shares) {
  const total = sum(shares);
  return total === 0 ? NaN : total ** 2 / (shares.length * sum(shares.map((share) => share ** 2)));
}

/** @param {readonly number[]} values */
export const sum = (values) => values.reduce((total, value) => total + value, 0);
