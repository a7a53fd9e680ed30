/** What a command answers. Text is bytes, one per character (latin1), so that nothing is lost on the way. */
export type Reply =
  | string
  | number
  | bigint
  | null
  | Status
  | Double
  | Verbatim
  | Pairs
  | ErrorReply
  | readonly Reply[]
  | typeof NO_REPLY;

/** The command wrote by itself what there was to say, as SUBSCRIBE does. */
export const NO_REPLY = Symbol('no reply');

export class Status {
  constructor(readonly text: string) {}
}

/** A number that may have a fraction: text in RESP2. */
export class Double {
  constructor(readonly value: number) {}
}

/** Text for people: plain text in RESP2. */
export class Verbatim {
  constructor(readonly text: string) {}
}

/** A map in RESP3, keys and values in turn in RESP2. */
export class Pairs {
  constructor(readonly entries: readonly (readonly [Reply, Reply])[]) {}

  flat(): Reply[] {
    const items: Reply[] = [];
    for (const [key, value] of this.entries) items.push(key, value);
    return items;
  }
}

/** An error as the client gets to see it, with its code in front. */
export class ErrorReply extends Error {
  override readonly name = 'ErrorReply';
}

export const OK = new Status('OK');
