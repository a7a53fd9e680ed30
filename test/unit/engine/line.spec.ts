import { afterEach, describe, expect, it } from '@jest/globals';
import { Line } from '../../../lib/engine/collections/line.js';
import type { Caller } from '../../../lib/engine/cohort/caller.js';

const caller = (name: string): Caller => ({ name }) as unknown as Caller;
const names = (line: Iterable<Caller>): string[] => [...line].map((it) => (it as unknown as { name: string }).name);

describe('Line', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(caller) as [Caller, Caller, Caller, Caller];
  const lineOf = (...callers: Caller[]): Line<Caller> => {
    const line = new Line<Caller>();
    for (const it of callers) line.push(it);
    return line;
  };

  afterEach(() => {
    for (const it of [a, b, c, d]) Object.assign(it, { before: undefined, after: undefined });
  });

  it('keeps the order in which callers came', () => {
    expect(names(lineOf(a, b, c))).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['first', a, ['b', 'c']],
    ['one in the middle', b, ['a', 'c']],
    ['last', c, ['a', 'b']],
  ])('goes on without the %s', (_, gone, rest) => {
    const line = lineOf(a, b, c);
    line.remove(gone);
    line.push(d);
    expect(names(line)).toEqual([...rest, 'd']);
    expect(line.first).toBe(rest[0] === 'a' ? a : b);
  });

  it.each([
    ['the one that is looked at', [b], ['a', 'b', 'c', 'd']],
    ['the next one', [c], ['a', 'b', 'd']],
    ['all that come', [c, d], ['a', 'b']],
  ])('is walked to its end when somebody leaves meanwhile: %s', (_, gone, seen) => {
    const line = lineOf(a, b, c, d);
    const met: Caller[] = [];
    for (const one of line) {
      met.push(one);
      if (one === b) for (const it of gone) line.remove(it);
    }
    expect(names(met)).toEqual(seen);
    expect(names(line)).toEqual(names([a, b, c, d].filter((one) => !gone.includes(one))));
  });

  it('keeps the others when somebody leaves twice', () => {
    const line = lineOf(a, b);
    line.remove(a);
    line.remove(a);
    expect(names(line)).toEqual(['b']);
  });

  it('is empty after the last one left, and can be used again', () => {
    const line = lineOf(a);
    line.remove(a);
    expect(line.first).toBeUndefined();
    line.push(b);
    expect(names(line)).toEqual(['b']);
  });

  it('can be walked while those who are looked at leave', () => {
    const line = lineOf(a, b, c, d);
    const seen: unknown[] = [];
    for (const it of line) {
      seen.push(it);
      line.remove(it);
    }
    expect(seen).toEqual([a, b, c, d]);
    expect(line.first).toBeUndefined();
  });
});
