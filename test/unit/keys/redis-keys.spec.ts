import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { keysOfOwner, ownerKey } from '../../../lib/keys/redis-keys.js';
import { clusterSlot } from '../../helpers/cluster-slot.js';

const BARE = { prefix: '' };
const SPACES = ['', 'shop:', '{app}:', 'pre-{app}}shop:'];
const BRACED = ['order:{42}', '{a}{b}', '{}', '{}x', '}x', '{', 'a}b{c', '{order}', '}{', '{{a}}', 'a{}b{c}', '{a'];
const redisKeys = (...of: Parameters<typeof ownerKey>) => keysOfOwner(ownerKey(...of));
const owner = (name: string) => redisKeys('lock', name, BARE).owner;

describe('the names of a lock in Redis', () => {
  it('names the owner key by kind and name, and the others after it', () => {
    expect(redisKeys('lock', 'order:42', BARE)).toEqual({
      owner: 'lock:order:42',
      queue: 'queue:{lock:order:42}',
      seen: 'seen:{lock:order:42}',
    });
  });

  it('keeps a hash tag of the name and adds none to it (BC-28)', () => {
    expect(redisKeys('semaphore', 'order:{42}', BARE)).toEqual({
      owner: 'semaphore:order:{42}',
      queue: 'queue:semaphore:order:{42}',
      seen: 'seen:semaphore:order:{42}',
    });
  });

  it('puts the prefix in front of the owner key', () => {
    expect(redisKeys('lock', 'a', { prefix: 'shop:' })).toEqual({
      owner: 'shop:lock:a',
      queue: 'queue:{shop:lock:a}',
      seen: 'seen:{shop:lock:a}',
    });
  });

  it('needs no braces of its own behind a prefix with a hash tag (BC-28)', () => {
    expect(redisKeys('lock', 'a{', { prefix: '{app}:' })).toEqual({
      owner: '{app}:lock:a%7b',
      queue: 'queue:{app}:lock:a%7b',
      seen: 'seen:{app}:lock:a%7b',
    });
  });

  it('separates the kinds (BC-64)', () => {
    expect(redisKeys('lock', 'a', BARE).owner).not.toBe(redisKeys('semaphore', 'a', BARE).owner);
    expect(owner('queue:{lock:a}')).not.toBe(redisKeys('lock', 'a', BARE).queue);
  });

  it.each<[string, string]>([
    ['{}', 'lock:%7b%7d'],
    ['}x', 'lock:%7dx'],
    ['a}b{c', 'lock:a%7db%7bc'],
    ['a{}b{c}', 'lock:a%7b%7db%7bc%7d'],
    ['{a}{b}', 'lock:{a}%7bb%7d'],
    ['{{a}}', 'lock:{{a}%7d'],
  ])('encodes the braces of %s that form no hash tag (BC-28)', (name, key) => {
    expect(owner(name)).toBe(key);
  });

  it.each(BRACED)('keeps all keys of %s in one slot (BC-28)', (name) => {
    for (const prefix of SPACES) {
      const keys = redisKeys('lock', name, { prefix });
      expect([clusterSlot(keys.queue), clusterSlot(keys.seen)]).toEqual([
        clusterSlot(keys.owner),
        clusterSlot(keys.owner),
      ]);
    }
  });

  it('gives 1,000 random names different keys, each in one slot and spread over slots (BC-27, BC-28)', () => {
    const names = [...randomNames(1000)];
    const keys = names.map((name) => redisKeys('lock', name, BARE));
    const scattered = keys.filter(({ owner, queue, seen }) => new Set([owner, queue, seen].map(clusterSlot)).size > 1);
    expect(scattered).toEqual([]);
    expect(new Set(keys.flatMap(({ owner, queue, seen }) => [owner, queue, seen])).size).toBe(3000);
    expect(new Set(keys.map(({ owner }) => clusterSlot(owner))).size).toBeGreaterThan(800);
  });

  it('gives different keys to names that look like the encoding of each other (BC-27)', () => {
    const names = ['{', '%7B', '%7b', '%257b', '%25257b', '%257B', '{x}{', '{x}%7b', '{x}%257b', '}', '%7d', '{%7b}'];
    expect(new Set(names.map(owner)).size).toBe(names.length);
  });
});

describe('a name over 256 bytes', () => {
  const digest = (name: string) => createHash('sha256').update(name).digest('base64url');

  it('keeps its first 200 bytes and ends in its digest (BC-27)', () => {
    const name = 'x'.repeat(257);
    expect(owner(name)).toBe(`lock:${'x'.repeat(200)}~${digest(name)}`);
    expect(owner('x'.repeat(256))).toBe(`lock:${'x'.repeat(256)}`);
  });

  it('is measured in bytes', () => {
    const name = 'é'.repeat(129);
    expect(owner(name)).toBe(`lock:${'é'.repeat(100)}~${digest(name)}`);
    expect(owner('é'.repeat(128))).toBe(`lock:${'é'.repeat(128)}`);
  });

  it.each<[string, string]>([
    [`${'x'.repeat(199)}é${'y'.repeat(60)}`, 'x'.repeat(199)],
    [`${'x'.repeat(197)}🔒${'y'.repeat(60)}`, 'x'.repeat(197)],
    [`${'x'.repeat(196)}🔒${'y'.repeat(60)}`, `${'x'.repeat(196)}🔒`],
    [`${'x'.repeat(199)}%20${'y'.repeat(60)}`, 'x'.repeat(199)],
    [`${'x'.repeat(198)}%20${'y'.repeat(60)}`, 'x'.repeat(198)],
    [`${'x'.repeat(197)}%20${'y'.repeat(60)}`, `${'x'.repeat(197)}%20`],
    [`${'x'.repeat(199)}%zz${'y'.repeat(60)}`, `${'x'.repeat(199)}%`],
  ])('is cut between characters and encoded characters', (name, kept) => {
    expect(owner(name)).toBe(`lock:${kept}~${digest(name)}`);
  });

  it('differs from every other name, also from one that imitates its short form (BC-27)', () => {
    const long = 'x'.repeat(300);
    const imitation = owner(long).slice('lock:'.length);
    expect(owner(imitation)).not.toBe(owner(long));
    expect(owner(`${long}y`)).not.toBe(owner(long));
  });

  it('keeps its keys in one slot although the cut opens a hash tag (BC-28)', () => {
    const keys = redisKeys('lock', `a{${'x'.repeat(300)}}`, BARE);
    expect(keys.owner).toContain('lock:a%7bxxx');
    expect(clusterSlot(keys.queue)).toBe(clusterSlot(keys.owner));
  });
});

/** Printable characters, braces and percent signs more often than others; the same names in every run. */
function* randomNames(count: number): Generator<string> {
  let state = 42;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const often = ['{', '}', '%', '%7B', '%7d', ':'];
  const seen = new Set<string>();
  while (seen.size < count) {
    const name = Array.from({ length: 1 + random(24) }, () =>
      random(3) > 0 ? String.fromCharCode(33 + random(94)) : (often[random(often.length)] as string),
    ).join('');
    if (!seen.has(name)) yield name;
    seen.add(name);
  }
}
