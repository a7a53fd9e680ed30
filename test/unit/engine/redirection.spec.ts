import { describe, expect, it } from '@jest/globals';
import { readRedirection } from '../../../lib/engine/cluster/redirection.js';

describe('What a node of a Cluster answers', () => {
  it.each([
    ['MOVED 3999 127.0.0.1:6381', { kind: 'moved', slot: 3999, address: '127.0.0.1:6381' }],
    ['ASK 12 node-b.example:6379', { kind: 'ask', slot: 12, address: 'node-b.example:6379' }],
    ['MOVED 1 fd00::7:6379', { kind: 'moved', slot: 1, address: 'fd00::7:6379' }],
    ['MOVED 1 :6379', { kind: 'moved', slot: 1, address: ':6379' }],
    ['TRYAGAIN Multiple keys request during rehashing of slot', { kind: 'later', slot: -1, address: '' }],
  ])('%s is a redirection', (message, redirection) => {
    expect(readRedirection(new Error(message))).toEqual(redirection);
  });

  it.each(['CLUSTERDOWN Hash slot not served', 'MOVED', 'MOVED x y', 'ERR MOVED 1 a:1', 'CROSSSLOT Keys'])(
    '%s is none',
    (message) => {
      expect(readRedirection(new Error(message))).toBeUndefined();
    },
  );
});
