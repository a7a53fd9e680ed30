import { CHECKERS, findViolations } from '../checkers/index.js';
import type { Violation } from '../checkers/checker.js';
import type { Fault } from '../faults/fault.js';
import type { Mutant } from '../mutants/mutant.js';
import { runSeed, type SeedRun } from './run-seed.js';

const EXPECTED_IN_UNSAFE = new Set(CHECKERS.filter(({ always }) => !always).map(({ name }) => name));

export interface BatchOptions {
  readonly from: number;
  readonly seeds: number;
  readonly seconds: number;
  readonly faults: readonly Fault[];
  readonly all: boolean;
  readonly mutant: Mutant | undefined;
  readonly untilFound: boolean;
  /** Commands are written down, too. */
  readonly records: boolean;
  readonly onSeed?: (run: CheckedRun) => void;
}

export interface CheckedRun extends SeedRun {
  readonly violations: readonly Violation[];
}

/** What came of several seeds. */
export interface Batch {
  readonly name: string;
  seeds: number;
  readonly hashes: string[];
  /** Simulated ms. */
  time: number;
  /** Real ms. */
  took: number;
  calls: number;
  grants: number;
  strikes: number;
  /** By checks; those that the faults make possible are counted apart. */
  readonly violations: Record<string, number>;
  unexpected: number;
  expected: number;
  readonly failing: number[];
}

export async function runBatch(options: BatchOptions): Promise<Batch> {
  const { from, seeds, mutant, faults, all } = options;
  const batch = emptyBatch(mutant?.name ?? (all ? faults.map(({ name }) => name).join(',') : 'all safe faults'));
  const undo = mutant?.install?.();
  const start = process.hrtime.bigint();
  try {
    for (let seed = from; seed < from + seeds; seed++) {
      const { seconds, records } = options;
      const run = await runSeed({ seed, seconds, faults, all, records, patchScript: mutant?.patchScript });
      const checked = { ...run, violations: findViolations(run.history) };
      add(batch, checked, faults);
      options.onSeed?.(checked);
      if (options.untilFound && batch.unexpected > 0) break;
    }
  } finally {
    undo?.();
  }
  batch.took = Number(process.hrtime.bigint() - start) / 1e6;
  return batch;
}

function emptyBatch(name: string): Batch {
  const counts = { seeds: 0, time: 0, took: 0, calls: 0, grants: 0, strikes: 0, unexpected: 0, expected: 0 };
  return { name, ...counts, hashes: [], violations: {}, failing: [] };
}

function add(batch: Batch, run: CheckedRun, faults: readonly Fault[]): void {
  const unsafe = faults.some(({ group, name }) => group === 'unsafe' && run.faults.includes(name));
  batch.seeds++;
  batch.hashes.push(run.hash);
  batch.time += run.time;
  batch.calls += run.history.attempts.length;
  batch.grants += run.history.attempts.filter(({ enteredAt }) => enteredAt !== undefined).length;
  batch.strikes += run.strikes;
  let unexpected = 0;
  for (const { check } of run.violations) {
    batch.violations[check] = (batch.violations[check] ?? 0) + 1;
    if (unsafe && EXPECTED_IN_UNSAFE.has(check)) batch.expected++;
    else unexpected++;
  }
  batch.unexpected += unexpected;
  if (unexpected > 0) batch.failing.push(run.seed);
}
