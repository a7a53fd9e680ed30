import { describe, expect, it } from '@jest/globals';
import { LockKeyError } from '../../../lib/errors/index.js';
import { checkName } from '../../../lib/keys/check-name.js';
import { errorOf } from '../../helpers/error-of.js';

describe('checkName', () => {
  it.each(['a', ' a ', '{}', '%', '\0', '🔒', 'notes/2024 plan/ä b.md', 'x'.repeat(10_000)])(
    'takes %j as it is',
    (name) => {
      expect(checkName(name, 'acquire')).toBe(name);
    },
  );

  it.each<[unknown, string]>([
    ['', 'the key is empty'],
    [' \u3000\n', 'the key is blank'],
    ['a\udc00', 'half of a surrogate pair'],
    [undefined, 'the key is undefined'],
    [null, 'the key is null'],
    [7, 'a value of type number'],
    [{}, 'a value of type object'],
    [['a'], 'the key is an array; this takes one key'],
  ])('refuses %j: %s (BC-25)', (name, reason) => {
    const error = errorOf(() => checkName(name, 'acquire'));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error.message).toMatch(/^acquire: /);
    expect(error.message).toContain(reason);
  });
});
