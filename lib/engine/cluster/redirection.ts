/** A node of a Cluster has not run a command. */
export interface Redirection {
  /** For good, for this once, or to be tried again where it was. */
  readonly kind: 'moved' | 'ask' | 'later';
  readonly slot: number;
  /** `host:port` of the node to ask; the host is empty where it is the one that answered. */
  readonly address: string;
}

/** Undefined for every other error. */
export function readRedirection(error: unknown): Redirection | undefined {
  if (!(error instanceof Error)) return undefined;
  // Keys of one lock are apart while their slot moves.
  if (error.message.startsWith('TRYAGAIN')) return { kind: 'later', slot: -1, address: '' };
  const match = /^(MOVED|ASK) (\d+) (\S*:\d+)/.exec(error.message);
  if (!match) return undefined;
  const [, kind, slot, address = ''] = match;
  return { kind: kind === 'MOVED' ? 'moved' : 'ask', slot: Number(slot), address };
}
