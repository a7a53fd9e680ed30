import { describe, expect, it } from '@jest/globals';
import { luaScripts } from '../../lib/scripts/lua-scripts.generated.js';
import { keysOfOwner, ownerKey } from '../../lib/keys/redis-keys.js';
import { clusterSlot } from '../helpers/cluster-slot.js';

const DECLARED = ['owner', 'queue', 'seen', 'KEYS[1]', 'KEYS[2]'];
/** Commands without a key; the channels of the last two are looked at below. */
const WITHOUT_KEY = ["'TIME'", "'PUBSUB'", "sharded and 'SPUBLISH' or 'PUBLISH'"];

describe.each(Object.values(luaScripts))('Script $name', ({ lua, numberOfKeys }) => {
  it('touches only keys that it declares, and at least one [BC-61]', () => {
    expect(numberOfKeys ?? 1).toBeGreaterThan(0);
    const calls = [...lua.matchAll(/redis\.p?call\(((?:'\w+')|(?:sharded and '\w+' or '\w+'))(?:, ([\w.[\]]+))?/g)];
    expect(calls).toHaveLength((lua.match(/redis\.p?call/g) as string[]).length);
    for (const [call, command = '', key = ''] of calls) {
      if (!WITHOUT_KEY.includes(command))
        expect({ call, declared: DECLARED.includes(key) }).toEqual({ call, declared: true });
    }
    expect(lua).not.toMatch(/local (owner|queue|seen)\b(?!, | = KEYS|\) )/);
  });

  it('asks nothing of the whole server [BC-61]', () => {
    expect(lua).not.toMatch(/'(KEYS|SCAN|CONFIG|CLIENT|INFO|FLUSH\w*|SELECT)'/);
  });
});

it('The channel of a lock in a Cluster is in the slot of its keys [BC-61]', () => {
  for (const name of ['a', 'order:{42}', '{a}{b}', '{}', '}x', 'a}b{c']) {
    const { owner, queue, seen } = keysOfOwner(ownerKey('lock', name, { prefix: 'app:' }));
    const channel = `wake:${queue.slice('queue:'.length)}:host-1-abcdefgh`;
    const slots = [owner, queue, seen, channel].map(clusterSlot);
    expect(new Set(slots).size).toBe(1);
  }
});
