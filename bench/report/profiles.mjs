import { table } from './table.mjs';
import { judge } from './targets.mjs';

/** @import { Result } from '../measure/types.mjs' */

/**
 * Where the time went in the workloads in which a figure was missed.
 *
 * @param {readonly Result[]} results
 * @param {boolean} markdown
 */
export function showProfiles(results, markdown) {
  const missed = new Set(judge(results).flatMap(({ workload, verdict }) => (verdict === 'missed' ? [workload] : [])));
  const rows = results
    .filter(({ id }) => missed.has(id))
    .flatMap(({ id, rows }) => rows.map((row) => ({ id, ...row })));
  return rows
    .flatMap(({ id, title, hot }) => {
      if (hot === undefined) return [];
      const cells = hot.map(({ place, share }) => [place, `${(share * 100).toFixed(1)} %`]);
      return [
        `${markdown ? '### ' : '\n== '}${id}, ${title}: where the time of a process went`,
        '',
        ...table([['function', 'share'], ...cells], markdown),
      ];
    })
    .join('\n');
}
