/** What acquire says about one token. */
export interface TokenAnswer {
  /** 0 when not owned. */
  readonly fence: number;
  /** Milliseconds left of an owned lease. */
  readonly rest: number;
  /** Empty when not queued. */
  readonly ticket: string;
}

/** Reply of the acquire scripts for one lock, read (see lua/lock-acquire-n.lua). */
export interface AcquireAnswer {
  /** The request came too late and changed nothing. */
  readonly void: boolean;
  readonly serverTime: number;
  readonly rest: number;
  readonly heard: boolean;
  readonly more: boolean;
  readonly muted: boolean;
  readonly holder: string;
  /** What the request told the server: that we can be pushed. */
  readonly pushable: boolean;
  readonly tokens: readonly TokenAnswer[];
}

/** The short answer to a newcomer who found nobody else: it owns, for the lease that it asked for. */
export function readGrantAtOnce(raw: unknown): { serverTime: number; fence: number } | undefined {
  const [serverTime, fence] = raw as [number, unknown?];
  return typeof fence === 'number' ? { serverTime, fence } : undefined;
}

/** Every answer but the short one. */
export function readAcquireAnswer(raw: unknown, pushable: boolean): AcquireAnswer {
  const [serverTime, reply] = raw as [number, (number | string)[]?];
  if (reply === undefined) {
    const nothing = { rest: -2, heard: true, more: false, muted: false, holder: '', tokens: [] };
    return { void: true, serverTime, ...nothing, pushable };
  }
  const tokens: TokenAnswer[] = [];
  for (let i = 5; i < reply.length; i += 3) {
    tokens.push({ fence: Number(reply[i]), rest: Number(reply[i + 1]), ticket: String(reply[i + 2]) });
  }
  return {
    void: false,
    serverTime,
    rest: Number(reply[0]),
    heard: reply[1] !== 0,
    more: reply[2] === 1,
    muted: reply[3] === 1,
    holder: String(reply[4]),
    pushable,
    tokens,
  };
}
