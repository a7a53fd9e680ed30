import { short, table } from './table.mjs';
import { judge } from './targets.mjs';

/** @import { Result } from '../measure/types.mjs' */

/**
 * @param {readonly Result[]} results
 * @param {boolean} markdown
 */
export function showVerdicts(results, markdown) {
  const judged = judge(results);
  if (judged.length === 0) return '';
  const cells = judged.map(({ workload, text, how, bound, value, verdict }) => [
    text,
    workload,
    `${how} ${bound.toLocaleString('en')}`,
    short(value),
    markdown && verdict !== 'reached' ? `**${verdict}**` : verdict,
  ]);
  const missed = judged.filter(({ verdict }) => verdict === 'missed').length;
  const head = `${markdown ? '### ' : '\n== '}What was to be reached: ${missed === 0 ? 'nothing' : missed} missed`;
  return [head, '', ...table([['target', 'workload', 'wanted', 'measured', 'verdict'], ...cells], markdown)].join('\n');
}
