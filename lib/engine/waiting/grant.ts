import type { Reference } from '../connection/server-clock.js';
import { safetyMargin } from '../margin.js';

/** A message that made a waiter of ours the owner (see lua/includes/drive.lua). */
export interface GrantMessage {
  readonly token: string;
  readonly fence: number;
  /** Server ms. */
  readonly expiry: number;
  readonly ownerKey: string;
}

/** Undefined for a message of another kind. */
export function readGrant(message: string): GrantMessage | undefined {
  const match = /^grant (\S+) (\d+) (\d+) (.+)$/s.exec(message);
  if (!match) return undefined;
  const [, token = '', fence, expiry, ownerKey = ''] = match;
  return { token, fence: Number(fence), expiry: Number(expiry), ownerKey };
}

/** The token whose holding was ended by force. */
export function readRevocation(message: string): string | undefined {
  return /^revoked (\S+)$/.exec(message)?.[1];
}

/**
 * Until when a handed lease is certain, on the engine's clock. It began at the grant, not at the receipt of the message,
 * which may have been under way for any time. The server's expiry is put on our clock through an answered request; the
 * age of the message bounds what a step of the server's clock in between can do.
 */
export function validityOfGrant(
  reference: Reference,
  grant: { readonly expiry: number; readonly receivedAt: number },
  handedLease: number,
  now: number,
): number {
  const margin = safetyMargin(now - reference.sentAt + handedLease);
  return Math.min(reference.sentAt + grant.expiry - reference.serverTime, grant.receivedAt + handedLease) - margin;
}
