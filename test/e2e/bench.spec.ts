import { expect, it } from '@jest/globals';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { runCommand } from '../helpers/run-command.js';

interface Written {
  results: {
    id: string;
    rows: { title: string; figures?: { rate: number; violations: number; failures: number } }[];
  }[];
  verdicts: { text: string; verdict: string }[];
}

it('the benchmark measures on a Redis of its own, prints its table and what was reached', async () => {
  const file = join(tmpdir(), `bench-${process.pid}.json`);
  const args = ['--without-peers', '--only', 'hot-1x8', '--rounds', '1', '--seconds', '0.2', '--json', file];
  const { child, output } = runCommand(process.execPath, ['bench/main.mjs', ...args]);
  await once(child, 'close');
  expect({ code: child.exitCode, output: output() }).toEqual({
    code: 0,
    output: expect.stringMatching(/contender +op\/s.*overlaps\n +@WithLock +[\d,]+ .*What was to be reached/s),
  });

  const { results, verdicts } = JSON.parse(readFileSync(file, 'utf8')) as Written;
  rmSync(file);
  const fair = results[0]?.rows.find(({ title }) => title === '@FairLock')?.figures;
  expect(fair).toMatchObject({ violations: 0, failures: 0 });
  expect(fair?.rate).toBeGreaterThan(0);
  expect(verdicts).toContainEqual(expect.objectContaining({ text: '@WithLock: overlaps', verdict: 'reached' }));
});
