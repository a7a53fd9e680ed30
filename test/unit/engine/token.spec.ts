import { describe, expect, it } from '@jest/globals';
import { systemRuntime } from '../../../lib/engine/runtime.js';
import { isOwnToken, readTokenOwner, TokenMaker } from '../../../lib/engine/token.js';

const content = { lease: 3_000, weight: 1, limit: 1, label: 'OrderService.pay' };

const maker = (host: string, pid: number, chance: string) =>
  new TokenMaker({ host, pid, randomBytes: () => Buffer.from(chance, 'base64url') });

describe('token', () => {
  it('says who holds: host, process and call', () => {
    const token = maker('shop-1', 4242, 'k3J9x2Qa').make(content);
    expect(token).toBe('1:shop-1-4242-k3J9x2Qa:0:3000:1:1:OrderService.pay');
    expect(readTokenOwner(token)).toEqual({ token, label: 'OrderService.pay', host: 'shop-1', pid: 4242, kept: false });
  });

  it('stays within 64 bytes whatever host and label are called', () => {
    const tokens = maker('orders-api-7d9f8b6c5d-x2x4z.namespace.svc', 4_194_304, '--__--__');
    const long = { lease: 315_360_000_000, weight: 1, limit: 2 ** 31 - 1, label: 'ÜberService.'.repeat(20) };
    for (let i = 0; i < 1_000; i++) expect(Buffer.byteLength(tokens.make(long))).toBeLessThanOrEqual(64);
  });

  it('is a new one for every acquisition and every process (BC-42)', () => {
    const makers = [new TokenMaker(systemRuntime), new TokenMaker(systemRuntime)];
    const tokens = makers.flatMap((maker) => Array.from({ length: 500 }, () => maker.make(content)));
    expect(new Set(tokens).size).toBe(1_000);
  });

  it('keeps its fields apart from what a host or a label is called', () => {
    const token = maker('ho st:1', 7, 'aaaaaaaa').make({ ...content, label: 'a:b c%\n' });
    expect(token.split(':')).toHaveLength(7);
    expect(readTokenOwner(token)).toMatchObject({ host: 'ho_st_1', pid: 7, label: 'a_b_c__' });
  });

  it('is told apart from the value of another program', () => {
    expect(isOwnToken(new TokenMaker(systemRuntime).make(content))).toBe(true);
    expect(isOwnToken('kept:OrderService.pay')).toBe(true);
    expect(isOwnToken('8c1f0a2e-uuid-of-somebody')).toBe(false);
    expect(readTokenOwner('8c1f0a2e')).toEqual({ token: '8c1f0a2e', label: null, host: null, pid: null, kept: false });
  });
});
