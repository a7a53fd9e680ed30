import { describe, expect, it } from '@jest/globals';
import { readGrant, readRevocation, validityOfGrant } from '../../../lib/engine/waiting/grant.js';

/** An answer that was asked for at 1,000 on our clock and was made at 50,000 on the server's. */
const reference = { sentAt: 1_000, serverTime: 50_000 };

describe('validity of a handed lease', () => {
  it('counts from the grant, not from the receipt of its message', () => {
    // Granted at 50,500 for 3,000; the message arrives 2,000 late.
    const grant = { expiry: 53_500, receivedAt: 3_500 };
    expect(validityOfGrant(reference, grant, 3_000, 3_500)).toBeCloseTo(4_500 - 2 - 0.01 * 5_500);
  });

  it('is over on arrival when the message was under way for longer than the lease', () => {
    const grant = { expiry: 53_500, receivedAt: 9_000 };
    expect(validityOfGrant(reference, grant, 3_000, 9_000)).toBeLessThan(9_000);
  });

  it('never exceeds the lease from the receipt on, though the clock of the server was set forward', () => {
    const grant = { expiry: 53_500 + 3_600_000, receivedAt: 1_600 };
    expect(validityOfGrant(reference, grant, 3_000, 1_600)).toBeLessThan(4_600);
  });

  it('allows for clocks that run at different rates, the more the older the reference is', () => {
    const margin = (age: number) => {
      const now = reference.sentAt + age;
      return now + 3_000 - validityOfGrant(reference, { expiry: 50_000 + age + 3_000, receivedAt: now }, 3_000, now);
    };
    expect(margin(0)).toBeCloseTo(32);
    expect(margin(60_000)).toBeCloseTo(632);
  });
});

describe('messages of the wake channel', () => {
  it('reads a grant, with a key that holds blanks', () => {
    const message = 'grant 1:h-1-aaaaaaaa:0:3000:1:1:A.b 1796057677919280 1796057680919 lock:notes/2024 plan/ä';
    expect(readGrant(message)).toEqual({
      token: '1:h-1-aaaaaaaa:0:3000:1:1:A.b',
      fence: 1796057677919280,
      expiry: 1796057680919,
      ownerKey: 'lock:notes/2024 plan/ä',
    });
  });

  it('reads a revocation, and nothing into other messages', () => {
    expect(readRevocation('revoked 1:h-1-aaaaaaaa:0:3000:1:1:A.b')).toBe('1:h-1-aaaaaaaa:0:3000:1:1:A.b');
    expect(readGrant('hello')).toBeUndefined();
    expect(readRevocation('hello')).toBeUndefined();
  });
});
