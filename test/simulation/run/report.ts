import type { Batch, CheckedRun } from './batch.js';

const MOST_SHOWN = 5;
const COLUMNS = [28, 6, 9, 8, 8, 7, 11, 9, 8] as const;

export const HEADER = line([
  'faults',
  'seeds',
  'sim. s',
  'calls',
  'grants',
  'faults',
  'violations',
  'expected',
  'sim/real',
]);

/** One line of the table. */
export function row(batch: Batch): string {
  const { name, seeds, time, took, calls, grants, strikes, unexpected, expected } = batch;
  const speed = (time / took).toFixed(0);
  return line([name, seeds, (time / 1000).toFixed(0), calls, grants, strikes, unexpected, expected, speed]);
}

/** What is wrong with one seed, and how to see it again. */
export function describeSeed(
  run: CheckedRun,
  values: { faults?: string | undefined; mutant?: string | undefined; seconds: string },
): string {
  const { seed, unexpected: violations, history } = run;
  const lines = [`seed ${seed}: ${violations.length} violations`];
  for (const { check, at, what, attempts } of violations.slice(0, MOST_SHOWN)) {
    lines.push(`  ${check} at ${at.toFixed(1)}: ${what}`);
    for (const id of attempts)
      lines.push(`    ${JSON.stringify(history.attempts.find((attempt) => attempt.id === id))}`);
  }
  if (violations.length > MOST_SHOWN) lines.push(`  and ${violations.length - MOST_SHOWN} more`);
  const same = [
    `--seconds ${values.seconds}`,
    values.faults === undefined ? '' : `--faults ${values.faults}`,
    values.mutant === undefined ? '' : `--mutant ${values.mutant}`,
  ].filter(Boolean);
  lines.push(`  again: npm run simulate -- --seed ${seed} ${same.join(' ')} --trace`);
  return lines.join('\n');
}

function line(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, i) => {
      const width = COLUMNS[i] ?? 8;
      return i === 0 ? String(cell).slice(0, width).padEnd(width) : String(cell).padStart(width);
    })
    .join(' ');
}
