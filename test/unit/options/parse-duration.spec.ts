import { describe, expect, it } from '@jest/globals';
import { LockOptionsError } from '../../../lib/errors/index.js';
import { parseDuration } from '../../../lib/options/parse-duration.js';
import { errorOf } from '../../helpers/error-of.js';

const RULE = { option: 'wait', where: '@WithLock on OrderService.pay' };
const TEN_YEARS = 315_360_000_000;

describe('parseDuration', () => {
  it.each<[unknown, number]>([
    [0, 0],
    [-0, 0],
    [1, 1],
    [0.5, 1],
    [123.45, 124],
    [1000 / 3, 334],
    [2 ** 31, 2 ** 31],
    [TEN_YEARS, TEN_YEARS],
    ['0s', 0],
    ['250ms', 250],
    ['0.3ms', 1],
    ['1.5s', 1500],
    ['30 s', 30_000],
    ['5 minutes', 300_000],
    ['2h', 7_200_000],
    ['90 days', 7_776_000_000],
  ])('takes %p as %d ms (BC-34, BC-35)', (value, duration) => {
    expect(parseDuration(value, RULE)).toBe(duration);
  });

  it.each(['60', '5000', ' 5000 ', '1.5', '1e3', '-5', '0x10', '0', 'Infinity'])(
    'refuses %p, which could be seconds or milliseconds (BC-35)',
    (value) => {
      const error = errorOf(() => parseDuration(value, RULE));
      expect(error).toBeInstanceOf(LockOptionsError);
      expect(error.message).toBe(
        `@WithLock on OrderService.pay: wait is '${value}'; seconds or milliseconds? Write the unit, as in '10s', or a number of milliseconds.`,
      );
    },
  );

  it.each([
    NaN,
    -1,
    -0.5,
    -Infinity,
    Infinity,
    '',
    ' ',
    'soon',
    '5 fortnights',
    '-5s',
    '5s 3ms',
    's',
    `${'1'.repeat(120)}s`,
    null,
    undefined,
    true,
    false,
    {},
    [],
    [5],
    5n,
    new Date(),
    () => 5,
  ])('refuses %p (BC-35)', (value) => {
    const error = errorOf(() => parseDuration(value, RULE));
    expect(error).toBeInstanceOf(LockOptionsError);
    expect(error.message).toMatch(
      /^@WithLock on OrderService\.pay: wait is .*; it must be a duration, such as 10000 or '10s'\.$/,
    );
  });

  it('takes Infinity where it means no limit (BC-34)', () => {
    expect(parseDuration(Infinity, { ...RULE, infinity: true })).toBe(Infinity);
    expect(() => parseDuration(NaN, { ...RULE, infinity: true })).toThrow("such as 10000 or '10s', or Infinity.");
  });

  it('names the shortest duration that is allowed (BC-35)', () => {
    const rule = { option: 'ttl', where: '@WithLock on OrderService.pay', min: 100 };
    expect(parseDuration(100, rule)).toBe(100);
    expect(parseDuration(99.5, { ...rule, min: 99.5 })).toBe(100);
    expect(() => parseDuration(-5, rule)).toThrow(
      "@WithLock on OrderService.pay: ttl is -5; it must be a duration of at least 100 ms, such as 10000 or '10s'.",
    );
    expect(() => parseDuration('99ms', rule)).toThrow("ttl is '99ms'; it must be a duration of at least 100 ms");
  });

  it.each([TEN_YEARS + 1, 2 ** 53, Number.MAX_VALUE, '11y'])('refuses %p, more than ten years (BC-35)', (value) => {
    expect(() => parseDuration(value, RULE)).toThrow('it must be at most ten years.');
    expect(() => parseDuration(value, { ...RULE, infinity: true })).toThrow('ten years, or Infinity for no limit.');
  });

  it('quotes a long value in part, in one line', () => {
    const { message } = errorOf(() => parseDuration(`a\n${'b'.repeat(1000)}`, RULE));
    expect(message).toContain(`wait is 'a?${'b'.repeat(38)}...';`);
  });
});
