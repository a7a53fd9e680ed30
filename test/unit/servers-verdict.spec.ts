import { describe, expect, it } from '@jest/globals';
import { verdictOf } from '../../tools/servers/verdict.mjs';

const tested = (name: string, failed = 0) => ({ name, version: '1.2.3', passed: 10, failed });
const missing = (name: string) => ({ name, reason: 'no packages' });

describe('the verdict over several servers', () => {
  it('counts all tests in its last line, and names every server', () => {
    const { lines, ok } = verdictOf([tested('a'), tested('b')], true);
    expect(lines).toEqual([
      expect.stringMatching(/^ok +a: 1.2.3/),
      expect.stringMatching(/^ok +b/),
      '20 passed, 0 failed',
    ]);
    expect(ok).toBe(true);
  });

  it('fails with a test', () => {
    const { lines, ok } = verdictOf([tested('a', 2), tested('b')], false);
    expect(lines[0]).toMatch(/^FAIL a/);
    expect(lines.at(-1)).toBe('20 passed, 2 failed');
    expect(ok).toBe(false);
  });

  it('says why a server was not tested, which is no failure elsewhere than where it is relied on', () => {
    const results = [tested('a'), missing('b'), missing('c')];
    expect(verdictOf(results, false)).toMatchObject({
      ok: true,
      lines: expect.arrayContaining(['not tested: b (no packages)']),
    });
    const { lines, ok } = verdictOf(results, true);
    expect(lines.at(-1)).toBe('10 passed, 1 failed');
    expect(ok).toBe(false);
    expect(verdictOf([...results, tested('d')], true).ok).toBe(true);
  });
});
