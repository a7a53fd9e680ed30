import { arch, cpus, platform, release } from 'node:os';

/** @import { RunResult } from './run.mjs' */
/** @import { Figures } from './checker/verdict.mjs' */

const COLUMNS = /** @type {const} */ ([
  ['run', 40],
  ['group', 6],
  ['faults', 7],
  ['acquires', 9],
  ['overlaps', 9],
  ['stale', 6],
  ['refused', 8],
  ['lost', 6],
  ['unavail', 8],
  ['gap s', 6],
  ['back s', 7],
  ['verdict', 0],
]);

/** @param {number | null} ms */
const seconds = (ms) => (ms === null ? '-' : (ms / 1000).toFixed(1));

/** @param {Pick<RunResult['plan'], 'topology' | 'nemesis' | 'everyReplica' | 'mutant'>} plan */
export const nameOf = ({ topology, nemesis, everyReplica, mutant }) =>
  `${topology} ${nemesis.name}${everyReplica ? ' +replicas' : ''}${mutant ? ` mutant:${mutant}` : ''}`;

/** @param {readonly (string | number)[]} cells */
const line = (cells) => cells.map((cell, i) => String(cell).padEnd(COLUMNS[i]?.[1] ?? 0)).join('');

export const heading = () => line(COLUMNS.map(([name]) => name));

/** @param {RunResult} result */
export function rowOf({ plan, group, figures: f, wrong }) {
  const verdict = wrong.length > 0 ? 'FAIL' : plan.mutant ? 'ok, caught' : 'ok';
  if (f === undefined) return line([nameOf(plan), group, ...Array(9).fill('-'), verdict]);
  const counts = [f.faults, f.acquires, f.overlaps, f.stale, f.refused, f.losses, f.unavailable];
  return line([nameOf(plan), group, ...counts, seconds(f.gap), seconds(f.recovery), verdict]);
}

/**
 * The sum of all runs of each kind, for the documentation.
 *
 * @param {readonly RunResult[]} results
 * @param {string} versions
 */
export function docsTable(results, versions) {
  const rows = [...group(results)].map(([name, runs]) => {
    const all = runs.flatMap(({ figures }) => figures ?? []);
    /** @param {(figures: Figures) => number} of */
    const sum = (of) => all.reduce((total, figures) => total + of(figures), 0);
    /** @param {(figures: Figures) => number} of */
    const worst = (of) => Math.max(...all.map(of));
    const back = all.some(({ recovery }) => recovery === null) ? null : worst(({ recovery }) => recovery ?? 0);
    const failed = runs.filter(({ wrong }) => wrong.length > 0).length;
    const cells = [
      name,
      runs[0]?.group,
      runs.length,
      sum((f) => f.faults),
      sum((f) => f.acquires),
      sum((f) => f.overlaps),
      `${sum((f) => f.stale)} / ${sum((f) => f.refused)}`,
      seconds(worst((f) => f.gap)),
      seconds(back),
      failed === 0 ? 'as expected' : `${failed} failed`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `${versions}.`,
    '',
    '| run | group | runs | faults | acquires | overlaps | stale writes taken / refused | longest gap, s | all locks back after, s | verdict |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** @param {readonly RunResult[]} results */
function group(results) {
  /** @type {Map<string, RunResult[]>} */
  const groups = new Map();
  for (const result of results) groups.set(nameOf(result.plan), [...(groups.get(nameOf(result.plan)) ?? []), result]);
  return groups;
}

/**
 * @param {string} server
 * @param {string} library
 */
export function versionsOf(server, library) {
  const machine = `${platform()} ${release().split('-')[0]} ${arch()}, ${cpus().length} cores`;
  return `nestjs-redis-lock ${library}, Redis ${server}, Node ${process.versions.node}, ${machine}`;
}
