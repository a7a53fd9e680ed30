import { describe, expect, it } from '@jest/globals';
import { jain, median, percentile } from '../../../bench/measure/statistics.mjs';

describe('median', () => {
  it('is the value in the middle, in whatever order they come', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('is the mean of the two in the middle', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('of nothing is no number', () => {
    expect(median([])).toBeNaN();
  });
});

describe('percentile', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);

  it('is the smallest value that so many do not exceed', () => {
    expect([0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([50, 99, 100]);
  });

  it('of one value is that value', () => {
    expect([0, 0.5, 0.99].map((share) => percentile([7], share))).toEqual([7, 7, 7]);
  });

  it('of nothing is no number', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('jain', () => {
  it('is 1 where all get the same', () => {
    expect(jain([3, 3, 3, 3])).toBe(1);
  });

  it('is 1/n where one gets all', () => {
    expect(jain([0, 0, 8, 0])).toBe(0.25);
  });

  it('counts those who got nothing', () => {
    expect(jain([1, 1])).toBeGreaterThan(jain([1, 1, 0]));
  });

  it('of nobody who got anything is no number', () => {
    expect(jain([0, 0])).toBeNaN();
  });
});
