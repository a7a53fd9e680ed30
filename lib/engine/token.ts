import type { TokenOwner } from '../interfaces/inspection.interface.js';
import type { Runtime } from './runtime.js';

/** Beyond this a sorted set leaves its compact form and takes several times the memory. */
const LONGEST_TOKEN = 64;
const LONGEST_HOST = 12;
const TOKEN = /^1:(.*)-(\d+)-[\w-]{8}:[^:]*:(\d+):\d+:\d+:([^:]*)$/;
const KEPT = /^kept:(?:.*:)?([^:]*)$/;

/** What a token says besides who made it. */
export interface TokenContent {
  /** Milliseconds that a hand-off gives. */
  lease: number;
  weight: number;
  limit: number;
  label: string;
}

/**
 * Makes the tokens of one process: `1:clientId:sequence:lease:weight:limit:label`. Order of the fields and leading version are
 * a wire format: a releaser of one version of the package hands over to waiters of another.
 */
export class TokenMaker {
  /** Host (the end of it, which tells pods apart), process id and chance. */
  readonly clientId: string;
  private sequence = 0;

  constructor(runtime: Pick<Runtime, 'host' | 'pid' | 'randomBytes'>) {
    const host = runtime.host.replace(/[^\w.-]/g, '_').slice(-LONGEST_HOST);
    this.clientId = `${host}-${runtime.pid}-${runtime.randomBytes(6).toString('base64url')}`;
  }

  make({ lease, weight, limit, label }: TokenContent): string {
    const front = `1:${this.clientId}:${(this.sequence++).toString(36)}:${lease}:${weight}:${limit}:`;
    return front + encodeLabel(label, Math.max(0, LONGEST_TOKEN - front.length));
  }
}

/** Labels are short names of classes and methods; what else may be in them must not break the token apart. */
function encodeLabel(label: string, longest: number): string {
  return label.replace(/[^\w.$#-]/g, '_').slice(0, longest);
}

/** Milliseconds that a hand-off gives to the owner of this token. */
export function handedLease(token: string): number {
  return Number(TOKEN.exec(token)?.[3] ?? 0);
}

/** True for a value that some version of this library wrote. */
export function isOwnToken(value: string): boolean {
  return /^\d+:[^:]*:/.test(value) || KEPT.test(value);
}

export function readTokenOwner(token: string): TokenOwner & { kept: boolean } {
  const kept = KEPT.exec(token);
  if (kept) return { token, label: kept[1] || null, host: null, pid: null, kept: true };
  const own = TOKEN.exec(token);
  if (!own) return { token, label: null, host: null, pid: null, kept: false };
  return { token, label: own[4] || null, host: own[1] ?? null, pid: Number(own[2]), kept: false };
}
