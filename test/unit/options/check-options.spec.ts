import { describe, expect, it } from '@jest/globals';
import { LockOptionsError } from '../../../lib/errors/index.js';
import { checkOptions } from '../../../lib/options/check-options.js';
import {
  ACQUIRE_OPTIONS,
  DECORATOR_OPTIONS,
  DEFAULT_OPTIONS,
  INTERCEPTOR_OPTIONS,
  MODULE_OPTIONS,
  SECTION_OPTIONS,
} from '../../../lib/options/option-names.js';
import { errorOf } from '../../helpers/error-of.js';

const WHERE = '@WithLock on OrderService.pay';
const check = (options: unknown, allowed = DECORATOR_OPTIONS) => checkOptions(options, WHERE, allowed);
const refusal = (options: unknown, allowed = DECORATOR_OPTIONS) => {
  const error = errorOf(() => check(options, allowed));
  expect(error).toBeInstanceOf(LockOptionsError);
  expect(error.message).toMatch(`${WHERE}: `);
  return error.message.slice(WHERE.length + 2);
};

describe('checkOptions', () => {
  it('gives everything in the form in which it is used', () => {
    const { signal } = new AbortController();
    const options = {
      ttl: '10s',
      renew: false,
      wait: 0,
      signal,
      maxHold: '1h',
      minHold: 0.5,
      reentrant: false,
      headStart: '1m',
      onBusy: 'skip',
      onLost: 'ignore',
      fair: true,
      releaseMode: 'background',
      connection: 'second',
    };
    expect(check(options)).toEqual({
      ttl: 10_000,
      renew: false,
      wait: 0,
      signal,
      maxHold: 3_600_000,
      minHold: 1,
      reentrant: false,
      headStart: 60_000,
      onBusy: 'skip',
      onLost: 'ignore',
      fair: true,
      releaseMode: 'background',
    });
  });

  it.each([undefined, {}, { ttl: undefined, typo: undefined }])('%j sets nothing', (options) => {
    expect(check(options)).toEqual({});
  });

  it('does not change what it is given', () => {
    const options = Object.freeze({ ttl: '10s' });
    check(options);
    expect(options).toEqual({ ttl: '10s' });
  });

  it('keeps wait: 0 apart from no wait (BC-36)', () => {
    expect(check({ wait: 0 })).toHaveProperty('wait', 0);
    expect(check({})).not.toHaveProperty('wait');
  });

  it.each<[object, string]>([
    [{ wait: Infinity, maxHold: Infinity }, 'no limit'],
    [{ wait: 2 ** 31, ttl: 2 ** 31, headStart: 2 ** 31 }, 'more than a timer can'],
  ])('takes %j: %s (BC-34)', (options) => {
    expect(check(options)).toEqual(options);
  });

  it.each([0, -1, 0.5, 99, NaN, Infinity, '5000', '', 'soon', null, 2 ** 53])(
    'refuses ttl: %p (BC-34, BC-35)',
    (ttl) => {
      expect(refusal({ ttl })).toMatch(/^ttl is /);
    },
  );

  it.each<[Record<string, unknown>, string]>([
    [{ wait: -1 }, 'wait is -1; it must be a duration'],
    [{ wait: '2' }, "wait is '2'; seconds or milliseconds?"],
    [{ maxHold: 0 }, 'maxHold is 0; it must be a duration of at least 100 ms'],
    [{ minHold: Infinity }, 'minHold is Infinity; it must be'],
    [{ headStart: Infinity }, 'headStart is Infinity; it must be'],
    [{ renew: 'false' }, "renew is 'false'; it must be true or false."],
    [{ reentrant: 1 }, 'reentrant is 1; it must be true or false.'],
    [{ onBusy: 'wait' }, "onBusy is 'wait'; it must be 'throw' or 'skip'."],
    [{ onLost: 'skip' }, "onLost is 'skip'; it must be 'throw' or 'ignore'."],
    [{ onLost: null }, 'onLost is null; it must be'],
    [{ releaseMode: 'async' }, "releaseMode is 'async'; it must be 'await' or 'background'."],
    [{ connection: '' }, "connection is ''; it must be text."],
    [{ connection: {} }, 'connection is an object; it must be text.'],
  ])('refuses %j', (options, message) => {
    expect(refusal(options)).toContain(message);
  });

  it.each([null, true, {}, new AbortController(), new EventTarget()])('refuses signal: %p', (signal) => {
    expect(refusal({ signal })).toContain('it must be an AbortSignal, such as controller.signal.');
  });

  const listening = { addEventListener: () => {}, removeEventListener: () => {} };

  it('takes a signal of another realm or a polyfill', () => {
    const foreign = Object.assign(new EventTarget(), { aborted: false, reason: undefined });
    const signal = check({ signal: foreign }).signal as AbortSignal;
    // What the engine does with signals, and Node with its own only.
    const joined = AbortSignal.any([signal, new AbortController().signal]);
    expect(check({ signal: foreign }).signal).toBe(signal);
    signal.throwIfAborted();
    Object.assign(foreign, { aborted: true, reason: 'enough' });
    foreign.dispatchEvent(new Event('abort'));
    expect(joined).toMatchObject({ aborted: true, reason: 'enough' });
    expect(check({ signal: { ...listening, aborted: true, reason: 'before' } }).signal).toMatchObject({
      aborted: true,
      reason: 'before',
    });
  });

  it.each([null, 'skip', 5, true, [], () => ({})])('refuses %p as options', (options) => {
    expect(refusal(options)).toContain("it must be an object, such as { wait: '2s' }.");
  });

  it('refuses a minHold that is longer than the maxHold beside it', () => {
    expect(refusal({ minHold: '2s', maxHold: '1s' })).toBe('minHold (2000 ms) is longer than maxHold (1000 ms).');
    expect(check({ minHold: '1s', maxHold: '1s' })).toEqual({ minHold: 1000, maxHold: 1000 });
  });

  it('warns of a ttl that may be meant as seconds (BC-35)', () => {
    const warningsOf = (ttl: unknown) => {
      const warnings: string[] = [];
      checkOptions({ ttl }, WHERE, DECORATOR_OPTIONS, warnings);
      return warnings;
    };
    expect(warningsOf(600)).toEqual([`${WHERE}: ttl is 600 ms; if seconds were meant, write '600s'.`]);
    expect([1000, '600ms', '1s', undefined].flatMap(warningsOf)).toEqual([]);
  });
});

describe('an option that does not exist', () => {
  it.each([
    ['tt', 'ttl'],
    ['tttl', 'ttl'],
    ['tlt', 'ttl'],
    ['TTL', 'ttl'],
    ['waits', 'wait'],
    ['maxhold', 'maxHold'],
    ['onBussy', 'onBusy'],
    ['re-entrant', 'reentrant'],
  ])('%s is refused, with %s as the one that may be meant', (name, meant) => {
    expect(refusal({ [name]: 1 })).toBe(`option '${name}' is unknown; perhaps ${meant} is meant.`);
  });

  it.each(['timeout', 'retries', 'constructor', '__proto__x'])('%s is refused with those that there are', (name) => {
    expect(refusal({ [name]: 1 })).toContain(`option '${name}' is unknown; the options are ttl, renew, wait, `);
  });

  it('permits is refused as not built yet', () => {
    expect(refusal({ permits: 1 })).toBe("option 'permits' is not part of this version.");
  });

  it('replicas have a number and a time, which is one second when none is given', () => {
    const options = { replicas: { min: 2, timeout: '50ms' } };
    expect(checkOptions(options, 'test', ACQUIRE_OPTIONS).replicas).toEqual({ min: 2, timeout: 50 });
    expect(checkOptions({ replicas: { min: 1 } }, 'test', ACQUIRE_OPTIONS).replicas).toEqual({ min: 1, timeout: 1000 });
  });

  it.each<[unknown, string]>([
    [1, 'replicas is 1; it must be an object, such as { min: 1'],
    [[1], 'replicas is an array; it must be an object'],
    [{}, 'replicas.min is undefined; it must be a whole number of at least 1'],
    [{ min: 0 }, 'replicas.min is 0; it must be a whole number'],
    [{ min: 1e21 }, 'replicas.min is 1e+21; it must be a whole number'],
    [{ min: 1.5 }, 'replicas.min is 1.5; it must be a whole number'],
    [{ min: 1, timeout: 0 }, 'replicas.timeout is 0; it must be a duration of at least 1 ms'],
    [{ min: 1, timeout: '500' }, "replicas.timeout is '500'; seconds or milliseconds?"],
    [{ min: 1, timout: 5 }, "option 'timout' is unknown; perhaps timeout is meant"],
  ])('replicas: %j is refused', (replicas, message) => {
    expect(refusal({ replicas })).toContain(message);
  });

  it.each(['commandTimeout', 'handoffTtl', 'namespace', 'defaults'])(
    '%s is refused where a module is not meant',
    (name) => {
      expect(refusal({ [name]: 1 })).toBe(`option '${name}' is for the module only.`);
    },
  );

  it('is refused where it has no meaning', () => {
    expect(refusal({ onBusy: 'skip' }, SECTION_OPTIONS)).toBe("option 'onBusy' is for decorators only.");
    expect(refusal({ onLost: 'throw' }, ACQUIRE_OPTIONS)).toBe("option 'onLost' has no meaning here.");
    expect(refusal({ connection: 'a' }, SECTION_OPTIONS)).toBe("option 'connection' has no meaning here.");
    expect(refusal({ signal: new AbortController().signal }, DEFAULT_OPTIONS)).toBe(
      "option 'signal' has no meaning here.",
    );
  });

  it.each([ACQUIRE_OPTIONS, SECTION_OPTIONS, DECORATOR_OPTIONS, DEFAULT_OPTIONS, MODULE_OPTIONS])(
    'refuses abortOnDisconnect everywhere but in LockInterceptor.with, which it names (%#)',
    (allowed) => {
      expect(refusal({ abortOnDisconnect: true }, allowed)).toBe(
        "option 'abortOnDisconnect' is for LockInterceptor.with only, which alone knows the client.",
      );
    },
  );

  it('takes abortOnDisconnect of LockInterceptor.with, as true or false', () => {
    expect(check({ abortOnDisconnect: true, wait: 0 }, INTERCEPTOR_OPTIONS)).toEqual({ wait: 0 });
    expect(refusal({ abortOnDisconnect: 'yes' }, INTERCEPTOR_OPTIONS)).toBe(
      "abortOnDisconnect is 'yes'; it must be true or false.",
    );
  });
});
