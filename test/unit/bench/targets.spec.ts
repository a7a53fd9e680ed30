import { describe, expect, it } from '@jest/globals';
import { contender } from '../../../bench/contenders/index.mjs';
import { bestPeerOf, limitOf } from '../../../bench/report/table.mjs';
import { judge } from '../../../bench/report/targets.mjs';
import { showVerdicts } from '../../../bench/report/verdicts.mjs';

type Row = Parameters<typeof limitOf>[0][number];
type Figures = NonNullable<Row['figures']>;
type Result = Parameters<typeof judge>[0][number];

const figures = (more: Partial<Figures>): Figures => ({
  ...{ rate: 0, handOff50: 1, handOff99: 1, release50: 1, commands: 2, bytes: 1, clientCpu: 1, serverCpu: 1 },
  ...{ scriptUs: 1, jain: 1, longestWait: 1, failures: 0, violations: 0, ...more },
});
const row = (id: string, more: Partial<Figures>): Row => ({
  contender: contender(id),
  title: contender(id).title,
  figures: figures(more),
});
const result = (id: string, ...rows: Row[]): Result => ({ id, title: id, rows, facts: [] });
const verdicts = (one: Result) => new Map(judge([one]).map(({ text, verdict }) => [text, verdict]));

describe('limitOf', () => {
  it('is the faster one of the bare commands, and not PING', () => {
    expect(limitOf([row('ping', { rate: 9 }), row('raw', { rate: 3 }), row('raw-auto', { rate: 4 })])).toBe(4);
  });
});

describe('bestPeerOf', () => {
  it('leaves out who did not exclude', () => {
    const rows = [row('murlock', { rate: 5 }), row('redlock-4', { rate: 9, violations: 1 }), row('ours', { rate: 20 })];
    expect(bestPeerOf(rows)).toEqual({ rate: 5, title: 'murlock' });
  });
});

describe('judge', () => {
  it('says of a ratio whether it is reached', () => {
    const raw = row('raw', { rate: 100 });
    expect(verdicts(result('uncontended-1', raw, row('ours', { rate: 80 }))).get('@WithLock / raw')).toBe('reached');
    expect(verdicts(result('uncontended-1', raw, row('ours', { rate: 79 }))).get('@WithLock / raw')).toBe('missed');
  });

  it('misses the target of exclusion by one overlap', () => {
    const seen = verdicts(result('hot-4x8', row('ours', { violations: 1 }), row('murlock', { rate: 1 })));
    expect(seen.get('@WithLock: overlaps')).toBe('missed');
  });

  it('does not call a figure reached that the run does not have', () => {
    expect(verdicts(result('hot-4x8', row('ours', {}))).get('@WithLock / best peer')).toBe('not measured');
    expect(new Set(verdicts(result('idle-waiters')).values())).toEqual(new Set(['not measured']));
  });

  it('is silent about workloads that did not run', () => {
    expect(judge([])).toEqual([]);
  });
});

describe('showVerdicts', () => {
  it('prints what was missed as missed', () => {
    const text = showVerdicts([result('uncontended-1', row('raw', { rate: 100 }), row('ours', { rate: 50 }))], false);
    expect(text).toMatch(/@WithLock \/ raw +uncontended-1 +at least 0\.8 +0\.5 +missed/);
  });
});
