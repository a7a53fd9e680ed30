import { describe, expect, it } from '@jest/globals';
import { LockOptionsError } from '../../../lib/errors/index.js';
import { checkSpace } from '../../../lib/keys/check-space.js';
import { errorOf } from '../../helpers/error-of.js';

describe('checkSpace', () => {
  it.each<[object, string]>([
    [{}, ''],
    [{ namespace: 'shop' }, 'shop:'],
    [{ namespace: 'shop:eu' }, 'shop:eu:'],
    [{ keyPrefix: 'app-' }, 'app-'],
    [{ keyPrefix: 'app:', namespace: 'shop' }, 'app:shop:'],
  ])('%j gives the prefix %j', (options, prefix) => {
    expect(checkSpace(options, 'test')).toEqual({ prefix });
  });

  it('warns of a hash tag in the keyPrefix (BC-28)', () => {
    const { prefix, warning } = checkSpace({ keyPrefix: '{app}:', namespace: 'shop' }, 'test');
    expect(prefix).toBe('{app}:shop:');
    expect(warning).toContain("'{app}:' puts every lock into one Cluster slot");
  });

  it.each(['{}', 'a{', 'a}', '}{', '{}{a}', 7, 'a\ud800'])('refuses the keyPrefix %j (BC-28)', (keyPrefix) => {
    expect(() => checkSpace({ keyPrefix }, 'test')).toThrow(LockOptionsError);
  });

  it.each(['{shop}', 'a{', 'a}'])('refuses braces in the namespace %j (BC-28)', (namespace) => {
    const { message } = errorOf(() => checkSpace({ namespace }, 'test'));
    expect(message).toBe(`test: namespace is '${namespace}'; braces would put every lock into one Cluster slot.`);
  });

  it.each(['', ' ', 'a b', 'a\n', 'a\0', null, 7, {}])('refuses the namespace %j', (namespace) => {
    expect(() => checkSpace({ namespace }, 'test')).toThrow(LockOptionsError);
  });

  it.each(['lock', 'queue', 'a:semaphore', 'seen:a'])(
    'refuses the namespace %j, in which keys could meet',
    (namespace) => {
      expect(() => checkSpace({ namespace }, 'test')).toThrow('marks keys of our own');
    },
  );
});
