import { describe, expect, it } from '@jest/globals';
import { LockOptionsError } from '../../../lib/errors/index.js';
import { checkModuleOptions } from '../../../lib/options/check-module-options.js';
import { checkOptions } from '../../../lib/options/check-options.js';
import { DEFAULT_SETTINGS } from '../../../lib/options/defaults.js';
import { mergeSettings } from '../../../lib/options/merge-settings.js';
import { DECORATOR_OPTIONS, SECTION_OPTIONS } from '../../../lib/options/option-names.js';

const merged = (defaults: object, own: object, allowed = DECORATOR_OPTIONS) =>
  mergeSettings(checkModuleOptions({ defaults }).defaults, checkOptions(own, 'test', allowed), 'test');

describe('mergeSettings', () => {
  it('has the defaults of the design where nothing is set', () => {
    expect(merged({}, {})).toEqual({
      ttl: 10_000,
      renew: true,
      fair: false,
      wait: 5000,
      signal: undefined,
      maxHold: Infinity,
      minHold: 0,
      reentrant: true,
      headStart: 0,
      onBusy: 'throw',
      onLost: 'throw',
      releaseMode: 'await',
    });
  });

  it('prefers what the call sets, also when it is 0 or false (BC-36)', () => {
    const defaults = {
      ttl: '1m',
      renew: true,
      wait: '1m',
      minHold: '1m',
      reentrant: true,
      headStart: '1m',
      onLost: 'throw',
      releaseMode: 'await',
    };
    const own = {
      ttl: 200,
      renew: false,
      wait: 0,
      minHold: 0,
      reentrant: false,
      headStart: 0,
      onLost: 'ignore',
      releaseMode: 'background',
    };
    expect(merged(defaults, own)).toMatchObject(own);
    expect(merged(defaults, {})).toMatchObject({ ttl: 60_000, wait: 60_000, minHold: 60_000, headStart: 60_000 });
  });

  it('takes the signal from the call', () => {
    const { signal } = new AbortController();
    expect(merged({}, { signal }).signal).toBe(signal);
  });

  it.each<[string, object, object, number]>([
    ['skip in the call', {}, { onBusy: 'skip' }, 0],
    ['skip in the call, wait in the module', { wait: '3s' }, { onBusy: 'skip' }, 0],
    ['skip and wait in the module, skip in the call', { onBusy: 'skip', wait: '3s' }, { onBusy: 'skip' }, 0],
    ['skip and wait in the call', { wait: '3s' }, { onBusy: 'skip', wait: '1s' }, 1000],
    ['skip in the module', { onBusy: 'skip' }, {}, 0],
    ['skip and wait in the module', { onBusy: 'skip', wait: '3s' }, {}, 3000],
    ['skip in the module, wait in the call', { onBusy: 'skip' }, { wait: '1s' }, 1000],
    ['skip in the module, throw in the call', { onBusy: 'skip' }, { onBusy: 'throw' }, 5000],
    ['throw in the call', { wait: '3s' }, { onBusy: 'throw' }, 3000],
  ])('%s: the wait is %j + %j -> %d (BC-36)', (_, defaults, own, wait) => {
    expect(merged(defaults, own).wait).toBe(wait);
  });

  it('never skips a call of the service, whatever the module says', () => {
    expect(merged({ onBusy: 'skip' }, {}, SECTION_OPTIONS)).toMatchObject({ onBusy: 'throw', wait: 5000 });
  });

  it('refuses a minHold that is longer than the maxHold of the module', () => {
    expect(() => merged({ maxHold: '1s' }, { minHold: '2s' })).toThrow(LockOptionsError);
    expect(() => merged({ minHold: '2s' }, { maxHold: '1s' })).toThrow(
      'test: minHold (2000 ms) is longer than maxHold (1000 ms).',
    );
  });

  it('leaves both sides as they are', () => {
    const own = Object.freeze({ ttl: 1000 });
    mergeSettings(Object.freeze({ ...DEFAULT_SETTINGS }), own, 'test');
    expect(own).toEqual({ ttl: 1000 });
  });
});
