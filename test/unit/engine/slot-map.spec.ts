import { describe, expect, it } from '@jest/globals';
import { SlotMap } from '../../../lib/engine/collections/slot-map.js';
import { collectGarbage } from '../../helpers/collect-garbage.js';

describe('SlotMap', () => {
  const mapOf = (...keys: string[]): SlotMap<string> => {
    const map = new SlotMap<string>();
    for (const key of keys) map.set(key, `value of ${key}`);
    return map;
  };

  it('finds what was set, and nothing that was deleted', () => {
    const map = mapOf('a', 'b');
    map.delete('a');
    map.delete('never');
    expect([map.get('a'), map.get('b'), map.has('a'), map.has('b'), map.size]).toEqual([
      undefined,
      'value of b',
      false,
      true,
      1,
    ]);
  });

  it('replaces the value of a key that it has', () => {
    const map = mapOf('a', 'b');
    map.set('a', 'another');
    expect([...map.values()]).toEqual(['another', 'value of b']);
  });

  it('keeps the order in which keys came, whatever was deleted before', () => {
    const map = mapOf('a', 'b', 'c');
    map.delete('b');
    map.delete('a');
    map.set('d', 'value of d');
    map.set('b', 'value of b');
    expect([...map.values()]).toEqual(['value of c', 'value of d', 'value of b']);
  });

  it('goes on where entries are deleted and others come while it is looked at', () => {
    const map = mapOf('a', 'b', 'c');
    const seen: string[] = [];
    for (const value of map.values()) {
      seen.push(value);
      map.delete('b');
      if (seen.length === 1) map.set('d', 'value of d');
    }
    expect(seen).toEqual(['value of a', 'value of c', 'value of d']);
  });

  it('lets go of values at once, which a Map does only at the next full collection', async () => {
    const map = new SlotMap<unknown>();
    const comeAndGo = (from: number, to: number): void => {
      for (let i = from; i < to; i++) {
        map.set(`k${i}`, new Array(100).fill(i));
        map.delete(`k${i - 64}`);
      }
    };
    comeAndGo(0, 64);
    // From here on its table is old.
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    comeAndGo(64, 10_000);
    await collectGarbage('minor');
    expect(map.size).toBe(64);
    // All that came and went are twice as much, and a Map keeps nearly all of it.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
  });
});
