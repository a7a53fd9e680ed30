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
  /** It ends the batch when it is found. */
  readonly mutant: Mutant | undefined;
  /** Commands are written down, too. */
  readonly records: boolean;
  readonly onSeed?: (run: CheckedRun) => void;
}

export interface CheckedRun extends SeedRun {
  /** What no fault of this seed may bring about. */
  readonly unexpected: readonly Violation[];
  /** What is documented to come of unsafe faults. */
  readonly expected: readonly Violation[];
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
  /** Both kinds of violations by their checks. */
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
      const checked = judge(run, faults);
      add(batch, checked);
      options.onSeed?.(checked);
      if (mutant && batch.unexpected > 0) break;
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

function judge(run: SeedRun, faults: readonly Fault[]): CheckedRun {
  const unsafe = faults.some(({ group, name }) => group === 'unsafe' && run.faults.includes(name));
  const violations = findViolations(run.history);
  const isExpected = ({ check }: Violation): boolean => unsafe && EXPECTED_IN_UNSAFE.has(check);
  return {
    ...run,
    unexpected: violations.filter((violation) => !isExpected(violation)),
    expected: violations.filter(isExpected),
  };
}

function add(batch: Batch, run: CheckedRun): void {
  batch.seeds++;
  batch.hashes.push(run.hash);
  batch.time += run.time;
  batch.calls += run.history.attempts.length;
  batch.grants += run.history.attempts.filter(({ enteredAt }) => enteredAt !== undefined).length;
  batch.strikes += run.strikes;
  batch.unexpected += run.unexpected.length;
  batch.expected += run.expected.length;
  for (const { check } of [...run.unexpected, ...run.expected]) {
    batch.violations[check] = (batch.violations[check] ?? 0) + 1;
  }
  if (run.unexpected.length > 0) batch.failing.push(run.seed);
}
