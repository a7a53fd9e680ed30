/** What acquire says about one token. */
export interface TokenAnswer {
  /** 0 when not owned. */
  readonly fence: number;
  /** Milliseconds left of an owned lease. */
  readonly rest: number;
  /** Empty when not queued. */
  readonly ticket: string;
  readonly position: number;
}

/** Reply of the acquire scripts, read (see lua/lock-acquire-3.lua). */
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

const CALM = { void: false, heard: true, more: false, muted: false, holder: '' };

export function readAcquireAnswer(raw: unknown, pushable: boolean): AcquireAnswer {
  const reply = raw as (number | string)[];
  const serverTime = Number(reply[1]);
  if (reply[0] === -1) return { ...CALM, void: true, serverTime, rest: -2, pushable, tokens: [] };
  const rest = Number(reply[2]);
  if (reply[0] === 1) {
    return {
      ...CALM,
      serverTime,
      rest,
      pushable,
      tokens: [{ fence: Number(reply[3]), rest, ticket: '', position: -1 }],
    };
  }
  const tokens: TokenAnswer[] = [];
  for (let i = 7; i < reply.length; i += 4) {
    tokens.push({
      fence: Number(reply[i]),
      rest: Number(reply[i + 1]),
      ticket: String(reply[i + 2]),
      position: Number(reply[i + 3]),
    });
  }
  return {
    void: false,
    serverTime,
    rest,
    heard: reply[3] !== 0,
    more: reply[4] === 1,
    muted: reply[5] === 1,
    holder: String(reply[6]),
    pushable,
    tokens,
  };
}
